"""What local models share: conversion, devices, language codes, search."""
