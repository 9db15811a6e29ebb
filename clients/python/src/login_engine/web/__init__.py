"""The login page for browsers. `python -m login_engine.web` serves it; needs the extra `web`."""
