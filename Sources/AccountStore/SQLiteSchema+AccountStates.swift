extension SQLiteSchema {
  /// What version 6 adds to version 5: when an account was disabled and last used, and what else its owner has said at sign-up, a JSON object. The
  /// failures of accounts are no longer forgotten with time.
  static func addAccountStates(_ database: SQLiteDatabase) throws(AccountStoreError) {
    try database.runAll(
      """
      ALTER TABLE accounts ADD COLUMN disabled_ms INTEGER;
      ALTER TABLE accounts ADD COLUMN last_login_ms INTEGER;
      ALTER TABLE accounts ADD COLUMN attributes TEXT;
      UPDATE tries SET known = 2 WHERE subject LIKE 'account:%' OR subject LIKE 'recovery:%';
      PRAGMA user_version = 6;
      """)
  }

  /// What version 8 adds to version 7: whether an address was proved, an `AddressProof`, and whether an administrator has the account ask for codes.
  static func addProofs(_ database: SQLiteDatabase) throws(AccountStoreError) {
    try database.runAll(
      """
      ALTER TABLE accounts ADD COLUMN email_proof TEXT;
      ALTER TABLE accounts ADD COLUMN codes_required INTEGER NOT NULL DEFAULT 0;
      PRAGMA user_version = 8;
      """)
  }
}
