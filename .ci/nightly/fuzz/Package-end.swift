// What .ci/nightly/fuzz/run appends to the project's Package.swift: one program with every target, so that all modules are built and linked once.
package.targets.append(
  .executableTarget(
    name: "login-fuzz",
    dependencies: [
      "AccountService", "AccountStore", "EngineCore", "EngineEvents", "FlowFiles", "JSONCodec", "LoginForms",
      "LoginMachine", "LoginProtocol", "SecretMemory", "Simulation", "SoftwareKeys", "Transcripts", "WebAuthn",
    ], path: "Fuzzing", swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
