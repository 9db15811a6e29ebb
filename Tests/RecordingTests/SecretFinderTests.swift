import Testing

@testable import Recording

@Suite struct SecretFinderTests { @Test func a() {} }
