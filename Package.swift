// swift-tools-version: 6.2
import PackageDescription

// ARCHITECTURE.md says what each target contains ("Modules"). The tools version is 6.2: from it on,
// a package that others depend on by version may have unsafe flags. LOGIN_ENGINE_STRICT makes
// warnings errors; without it, newer compilers with new warnings still build the project.
let release = BuildSettingCondition.when(configuration: .release)
let common: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Small functions of the codec and the forms are inlined into the path of an edit.
    .unsafeFlags(["-cross-module-optimization"], release),
    // An undocumented option of the compiler: a tenth of a start.
    .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], release),
  ] + (Context.environment["LOGIN_ENGINE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])
// Regular expressions are not linked: a tenth of a program and of its start. Undocumented as well.
let fast = common + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]
// Off the path of an edit, size counts: `.ci/checks/static` limits the static programs.
let small = fast + [.unsafeFlags(["-Osize"], release)]
// A release build takes 15 s less; what the tests test is optimised.
let unoptimised = common + [.unsafeFlags(["-Onone"], release)]

// Programs without any dynamic library: protocol/guides/installing.md says how they are built.
let isStatic = Context.environment["LOGIN_ENGINE_STATIC"] != nil
// With `-static-stdlib` the Swift runtime is called directly, and a start takes half the time.
let runtime = isStatic ? ["-static-executable", "-Xclang-linker", "-static-pie"] : ["-static-stdlib"]
// What `--version` calls the build, such as a commit.
let build = (Context.environment["LOGIN_ENGINE_BUILD"] ?? "").filter {
  $0.isASCII && ($0.isLetter || $0.isNumber || "._+-".contains($0))
}

func names(_ dependencies: String) -> [Target.Dependency] {
  dependencies.split(separator: " ").map { .init(stringLiteral: String($0)) }
}

func module(_ name: String, _ uses: String = "", path: String? = nil, settings: [SwiftSetting] = small) -> Target {
  .target(name: name, dependencies: names(uses), path: path, swiftSettings: settings)
}

func program(_ name: String, _ uses: String, path: String? = nil, linker: [String] = []) -> Target {
  // `now`: late binding saves registers, and pieces of secrets with them, on the stack.
  // `pack-relative-relocs` (lld, and a C library of 2022) saves 524 KB of 9.3 MB, `icf` 184 KB:
  // Swift functions are not compared by address.
  let words = ["-z", "now", "-z", "pack-relative-relocs", "--no-export-dynamic", "--icf=all"] + linker
  return .executableTarget(
    name: name, dependencies: names(uses), path: path, swiftSettings: common,
    linkerSettings: [.unsafeFlags(words.reduce(runtime + ["-use-ld=lld"]) { $0 + ["-Xlinker", $1] })])
}

func tests(_ name: String, _ uses: String) -> Target {
  .testTarget(name: name, dependencies: names(uses + " TestSupport"), swiftSettings: unoptimised)
}

// What needs libpq, which is only there as a dynamic library.
let server: [Target] = [
  .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
  module("PostgreSQLAccounts", "Accounts CPQ", settings: common),
  program("login-accounts-postgres", "AccountService Accounts PostgreSQLAccounts System"),
  module("TestServer", "CPQ", path: "Tests/TestServer", settings: unoptimised),
]
let serverTests = isStatic ? "" : " PostgreSQLAccounts TestServer"
let engine = "AuthenticatorKit FlowFiles JSONCodec LoginMachine LoginProtocol"

let package = Package(
  name: "login-engine",
  // For the library products. The programs, and the modules from `System` on, are for Linux.
  platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .visionOS(.v1)],
  products: ["login-engine", "login-accounts", "login-terminal"].map { .executable(name: $0, targets: [$0]) } + [
    // With the modules whose types are in their interfaces.
    .library(name: "LoginMachine", targets: ["LoginMachine"]),
    .library(name: "AuthenticatorKit", targets: ["AuthenticatorKit", "JSONCodec", "LoginMachine"]),
    .library(name: "EngineCore", targets: (engine + " EngineCore").split(separator: " ").map(String.init)),
    .library(name: "login_engine", type: .dynamic, targets: ["LoginEngineLibrary"]),
  ],
  targets: [
    .target(name: "CSystem", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CPortable", cSettings: build.isEmpty ? [] : [.define("LOGIN_ENGINE_BUILD", to: "\"\(build)\"")]),
    module("JSONCodec", settings: fast),
    module("LoginMachine", settings: fast),
    module("FlowFiles", "CPortable JSONCodec LoginMachine", settings: fast),
    module("AuthenticatorKit", "JSONCodec LoginMachine", settings: fast),
    module("LoginProtocol", "AuthenticatorKit CPortable JSONCodec LoginMachine", settings: fast),
    module("SecretMemory", "CPortable", settings: fast),
    module("EngineCore", engine + " CPortable SecretMemory", settings: fast),
    module("System", "CSystem SecretMemory", settings: fast),
    module("Recording", engine + " System"),
    module("LoginEngine", engine + " CPortable EngineCore Recording SecretMemory System ViewModel"),
    program("login-engine", "LoginEngine System", linker: ["--wrap=free"]),
    .target(name: "CLoginEngine"),
    module("LoginEngineC", engine + " CLoginEngine EngineCore SecretMemory"),
    .target(
      name: "LoginEngineLibrary", dependencies: ["LoginEngineC"], path: "Sources/login-engine-library",
      exclude: ["exports.map"],
      linkerSettings: [
        .unsafeFlags(
          [
            // `nodelete`: the Swift runtime cannot be unloaded.
            "-soname=liblogin_engine.so", "-z", "now", "-z", "nodelete", "--wrap=free",
            "--version-script=\(Context.packageDirectory)/Sources/login-engine-library/exports.map",
          ].reduce(["-static-stdlib"]) { $0 + ["-Xlinker", $1] })
      ]),
    .systemLibrary(
      name: "CAccountLibraries", pkgConfig: "sqlite3 libcrypt",
      providers: [.apt(["libsqlite3-dev", "libcrypt-dev", "libutf8proc-dev"])]),
    .target(
      name: "CCrypto", cSettings: [.define("_GNU_SOURCE")],
      linkerSettings: [":libhogweed.a", ":libnettle.a", ":libgmp.a"].map { .linkedLibrary($0) }),
    module("WebAuthn", "CCrypto JSONCodec"),
    module("Accounts", "CAccountLibraries CCrypto SecretMemory System WebAuthn"),
    module("AccountService", engine + " Accounts CPortable CSystem SecretMemory System WebAuthn"),
    program("login-accounts", "AccountService System"),
    program("login-terminal", "CSystem JSONCodec", path: "clients/swift/login-terminal"),
    module("ViewModel", "JSONCodec"),
    module("Simulation", engine + " EngineCore LoginEngine Recording System ViewModel", settings: unoptimised),
    program("engine-simulation", "Simulation System"),
    program("engine-benchmark", "CSystem JSONCodec LoginMachine System ViewModel"),
    .executableTarget(
      name: "empty-program",
      linkerSettings: [.unsafeFlags(["-static-executable", "-nostartfiles", "-use-ld=lld"])]),
    module("TestSupport", "CSoftwareKeys JSONCodec WebAuthn", path: "Tests/TestSupport", settings: unoptimised),
    .target(name: "CSoftwareKeys", path: "Tests/CSoftwareKeys", linkerSettings: [.linkedLibrary("crypto")]),
    tests("JSONCodecTests", "JSONCodec"),
    tests("LoginMachineTests", "FlowFiles LoginMachine ViewModel"),
    tests("FlowFilesTests", "FlowFiles JSONCodec LoginMachine"),
    tests("AuthenticatorKitTests", "AuthenticatorKit JSONCodec LoginMachine"),
    tests("LoginProtocolTests", engine + " ViewModel"),
    tests("SecretMemoryTests", "SecretMemory"),
    tests("EngineCoreTests", engine + " EngineCore SecretMemory ViewModel"),
    tests("SystemTests", "SecretMemory System"),
    tests("RecordingTests", engine + " Recording"),
    tests("LoginEngineTests", engine + " Accounts CAccountLibraries LoginEngine SecretMemory System WebAuthn"),
    tests("TranscriptTests", "JSONCodec"),
    tests("LoginEngineCTests", "CLoginEngine FlowFiles JSONCodec LoginEngineC"),
    tests("SimulationTests", "JSONCodec Simulation ViewModel"),
    tests("WebAuthnTests", "JSONCodec WebAuthn"),
    tests("AccountsTests", "Accounts CAccountLibraries CCrypto SecretMemory System" + serverTests),
    tests(
      "AccountServiceTests",
      engine + " AccountService Accounts CAccountLibraries SecretMemory System WebAuthn" + serverTests),
  ] + (isStatic ? [] : server)
)
