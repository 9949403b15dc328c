"""Can these outputs be believed? Order, words, language and damage are checked before any number is shown."""
