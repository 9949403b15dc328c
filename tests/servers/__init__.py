"""Servers on loopback that speak the documented protocols of translation services, and can be told to fail."""
