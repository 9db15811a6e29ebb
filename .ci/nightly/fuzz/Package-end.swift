// What .ci/nightly/fuzz/run appends to the project's Package.swift: one program with every target, so that all modules are built and linked once.
package.targets.append(
  .executableTarget(
    name: "login-fuzz",
    dependencies: [
      "AccountService", "Accounts", "EngineCore", "FlowFiles", "JSONCodec", "LoginEngine", "LoginMachine",
      "LoginProtocol", "SecretMemory", "Simulation", "TestSupport", "WebAuthn",
    ], path: "Fuzzing", swiftSettings: common + [.unsafeFlags(["-parse-as-library"])]))
