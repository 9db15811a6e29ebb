int login_engine_placeholder(void) { return 0; }
