// swift-tools-version: 6.2
import PackageDescription

// A package of your own needs one of these three dependencies. `../check` builds the example with each of them.
let environment = Context.environment
let engine: Package.Dependency =
  if let url = environment["LOGIN_ENGINE_URL"], let branch = environment["LOGIN_ENGINE_BRANCH"] {
    .package(url: url, branch: branch)
  } else if let url = environment["LOGIN_ENGINE_URL"] {
    .package(url: url, from: "0.1.0")
  } else {
    .package(name: "login-engine", path: environment["LOGIN_ENGINE_PACKAGE"] ?? "../../..")
  }

let package = Package(
  name: "sign-in",
  // Observation needs this version.
  platforms: [.macOS(.v14)],
  dependencies: [engine],
  targets: [
    .executableTarget(
      name: "sign-in",
      dependencies: [.product(name: "LoginMachine", package: "login-engine")]),
    .executableTarget(name: "staff", dependencies: [.product(name: "AuthenticatorKit", package: "login-engine")]),
    .executableTarget(name: "login-form", dependencies: [.product(name: "EngineCore", package: "login-engine")]),
  ]
)
