// swift-tools-version: 6.2
import PackageDescription

// Also `.package(url: "…", branch: "main")` or `.package(url: "…", from: "0.1.0")`.
let engine = Context.environment["LOGIN_ENGINE_PACKAGE"] ?? "../../.."

let package = Package(
  name: "sign-in",
  dependencies: [.package(name: "login-engine", path: engine)],
  targets: [
    .executableTarget(
      name: "sign-in",
      dependencies: [
        .product(name: "LoginForms", package: "login-engine"), .product(name: "LoginMachine", package: "login-engine"),
      ])
  ]
)
