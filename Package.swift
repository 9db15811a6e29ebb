// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  // Small functions of the codec and the forms are part of the hot path of other modules. SwiftPM takes unsafe flags from a package that others
  // depend on by version only from tools version 6.2 on: with an older one in the first line, no such program would build.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
  // A generic type that is named in the code is made at its first use. Made from its name, as is the default, it takes three times as long, and the fifty
  // that a start needs were a tenth of it.
  .unsafeFlags(
    ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release)),
]

// For the modules of login-engine. Regular expressions and the like, of which it uses nothing, are a tenth of a program and of its start. With this, no text
// that is looked for in another brings all of it along.
let lean: [SwiftSetting] = strict + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

// For modules whose speed nobody notices. What they save keeps the static program below the size that it promises.
let small: [SwiftSetting] = lean + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// Programs without any dynamic library, which README.md says how to build. They are position-independent all the same. Debian 12's C library
// ends such a program at once if the program has a search path for libraries, which only SwiftPM's --disable-local-rpath leaves out.
let isStatic = Context.environment["LOGIN_ENGINE_STATIC"] != nil
let runtime = isStatic ? ["-static-executable", "-Xclang-linker", "-static-pie"] : ["-static-stdlib"]

// What `login-engine --version` calls the build, such as a commit: letters, digits, dots, underscores, plus signs and hyphens.
let build = (Context.environment["LOGIN_ENGINE_BUILD"] ?? "").unicodeScalars
  .filter {
    $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "._+-".unicodeScalars.contains($0))
  }
  .map(String.init).joined()

func module(
  _ name: String, _ dependencies: [String] = [], path: String? = nil, settings: [SwiftSetting] = lean
) -> Target {
  .target(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path, swiftSettings: settings)
}

// `linker` are further words for the linker.
func program(_ name: String, _ dependencies: [String], path: String? = nil, linker: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path, swiftSettings: strict,
    // With the Swift runtime in the program it starts in half the time and calls the runtime directly. Functions are bound at the start, because the linker's late binding saves registers on the stack,
    // and with them pieces of secrets. The 24,000 addresses that a start has to correct take 6 KiB packed instead of 580 KiB, which only
    // lld can do, and nothing outside looks for symbols in a program. Functions that are the same code are there once, which takes 190 KB off: nothing in
    // these programs tells Swift functions apart by their addresses, and of the C libraries, of which some do, each file is one piece for the linker.
    linkerSettings: [
      .unsafeFlags(
        (["-z", "now", "-z", "pack-relative-relocs", "--no-export-dynamic", "--icf=all"] + linker)
          .reduce(runtime + ["-use-ld=lld"]) { $0 + ["-Xlinker", $1] })
    ])
}

// The tests of a release build test what is optimised. Only those that walk for minutes are optimised themselves, which takes long to build.
func tests(_ name: String, _ dependencies: [String], walks: Bool = false) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
    swiftSettings: walks ? strict : strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

// What needs libpq, which is only there as a dynamic library.
let server = isStatic ? [] : ["PostgreSQLAccounts", "TestServer"]
let serverTargets: [Target] =
  isStatic
  ? []
  : [
    .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    module("PostgreSQLAccounts", ["AccountStore", "CPQ"], settings: strict),
    program("login-accounts-postgres", ["AccountService", "AccountStore", "EventLoop", "PostgreSQLAccounts"]),
    // The databases of tests that run on a server.
    module("TestServer", ["CPQ"], path: "Tests/TestServer", settings: strict),
  ]

// ARCHITECTURE.md says what lives in each module; the arrows here are all there are.
let package = Package(
  name: "login-engine",
  products: [
    .executable(name: "login-engine", targets: ["login-engine"]),
    .executable(name: "login-accounts", targets: ["login-accounts"]),
    .executable(name: "login-terminal", targets: ["login-terminal"]),
    .library(name: "LoginForms", targets: ["LoginForms"]),
    .library(name: "LoginMachine", targets: ["LoginMachine"]),
    // To write authenticators in Swift.
    .library(name: "AuthenticatorKit", targets: ["AuthenticatorKit", "JSONCodec", "LoginForms"]),
    // With the modules whose types are in its interface.
    .library(
      name: "EngineCore",
      targets: [
        "AuthenticatorKit", "EngineCore", "EngineEvents", "FlowFiles", "LoginForms", "LoginMachine", "LoginProtocol",
      ]),
    // liblogin_engine.so, for every other language.
    .library(name: "login_engine", type: .dynamic, targets: ["LoginEngineLibrary"]),
  ],
  targets: [
    module("JSONCodec"),
    module("LoginForms"),
    module("LoginMachine", ["LoginForms"]),
    // It includes files of protocol/ with #embed, which the compiler notes as inputs: SwiftPM's own resources are only read when the
    // package's list of files changes.
    .target(
      name: "CEmbeddedFiles", cSettings: build.isEmpty ? [] : [.define("LOGIN_ENGINE_BUILD", to: "\"\(build)\"")]),
    module("FlowFiles", ["CEmbeddedFiles", "JSONCodec", "LoginForms"]),
    module("ProtocolDocument", ["CEmbeddedFiles"], settings: small),
    module("FlowExplorer", ["LoginForms", "LoginMachine"], settings: small),
    module("AuthenticatorKit", ["JSONCodec", "LoginForms"]),
    module("LoginProtocol", ["AuthenticatorKit", "JSONCodec", "LoginForms", "LoginMachine"]),
    module("EngineEvents", ["LoginForms", "LoginMachine", "LoginProtocol"]),
    module(
      "Recording",
      [
        "AuthenticatorKit", "EngineEvents", "EventLoop", "FlowFiles", "JSONCodec", "LoginForms", "LoginMachine",
        "LoginProtocol", "ProtocolDocument",
      ], settings: small),
    .target(name: "CSystem", cSettings: [.define("_GNU_SOURCE")]),
    // SwiftPM names their packages if pkg-config does not find one. It is not asked for utf8proc, whose flags SwiftPM warns of.
    .systemLibrary(
      name: "CAccountLibraries", pkgConfig: "sqlite3 libcrypt",
      providers: [.apt(["libsqlite3-dev", "libcrypt-dev", "libutf8proc-dev"])]),
    // Nettle's archives in every build: the functions that are used are 0.4 MB, and the shared libraries would be loaded at each start.
    .target(
      name: "CCrypto", cSettings: [.define("_GNU_SOURCE")],
      linkerSettings: [":libhogweed.a", ":libnettle.a", ":libgmp.a"].map { .linkedLibrary($0) }),
    .target(name: "CPortable"),
    module("SecretMemory", ["CPortable"]),
    module("EventLoop", ["CSystem", "SecretMemory"]),
    module("Fence", ["CSystem"], settings: small),
    module("OneTimeCodes", ["CCrypto", "SecretMemory"], settings: small),
    module("WebAuthn", ["CCrypto", "JSONCodec"], settings: small),
    module(
      "AccountStore",
      [
        "CAccountLibraries", "CCrypto", "CSystem", "EventLoop", "OneTimeCodes", "SecretMemory", "WebAuthn",
      ], settings: small),
    module("CommandLineKit", settings: small),
    module(
      "AccountService",
      [
        "AccountStore", "AuthenticatorKit", "CEmbeddedFiles", "CommandLineKit", "CSystem", "EventLoop", "Fence",
        "FlowFiles", "JSONCodec", "LoginForms", "LoginProtocol", "OneTimeCodes", "SecretMemory", "WebAuthn",
      ], settings: small),
    module(
      "EngineCore",
      [
        "AuthenticatorKit", "CPortable", "EngineEvents", "JSONCodec", "LoginForms", "LoginMachine", "FlowFiles",
        "LoginProtocol", "ProtocolDocument",
        "SecretMemory",
      ]),
    module("Authenticators", ["EngineCore", "EngineEvents", "EventLoop", "SecretMemory"]),
    module(
      "LoginEngine",
      [
        "Authenticators", "CEmbeddedFiles", "CommandLineKit", "EngineCore", "EngineEvents", "EventLoop", "Fence",
        "FlowFiles", "LoginForms", "Recording",
      ], settings: small),
    .target(name: "CLoginEngine"),
    module(
      "LoginEngineC",
      ["CLoginEngine", "EngineCore", "EngineEvents", "FlowFiles", "JSONCodec", "LoginForms", "SecretMemory"]),
    .target(
      name: "LoginEngineLibrary", dependencies: ["LoginEngineC"], path: "Sources/login-engine-library",
      exclude: ["exports.map"],
      // The Swift runtime is in the library, and nothing but the header's functions is to be seen of either. The runtime cannot be unloaded.
      linkerSettings: [
        .unsafeFlags(
          [
            "-soname=liblogin_engine.so", "-z", "now", "-z", "nodelete", "--wrap=free",
            "--version-script=\(Context.packageDirectory)/Sources/login-engine-library/exports.map",
          ].reduce(["-static-stdlib"]) { $0 + ["-Xlinker", $1] })
      ]),
    module(
      "DemoAuthenticator",
      ["AuthenticatorKit", "CommandLineKit", "EventLoop", "JSONCodec", "LoginForms", "SecretMemory"], settings: small),
    module(
      "FlowCommand",
      [
        "AuthenticatorKit", "CommandLineKit", "EngineCore", "EngineEvents", "EventLoop", "FlowExplorer", "FlowFiles",
        "JSONCodec", "LoginForms", "SecretMemory",
      ], settings: small),
    module(
      "Transcripts",
      [
        "AuthenticatorKit", "CommandLineKit", "EngineCore", "EngineEvents", "EventLoop", "JSONCodec", "LoginEngine",
        "LoginForms", "SecretMemory", "ViewModel",
      ], settings: small),
    program(
      "login-engine",
      [
        "LoginEngine", "DemoAuthenticator", "EventLoop", "FlowCommand", "Transcripts",
      ], linker: ["--wrap=free"]),
    program("login-accounts", ["AccountService", "EventLoop"]),
    // It runs the two programs that it names last, which are built with it.
    program(
      "engine-benchmark",
      [
        "CSystem", "CommandLineKit", "EventLoop", "JSONCodec", "LoginForms", "ViewModel", "login-engine",
        "empty-program",
      ]),
    // In C, and without any dynamic library, however the other programs are built: nothing starts in less time.
    .executableTarget(
      name: "empty-program",
      linkerSettings: [.unsafeFlags(["-static-executable", "-nostartfiles", "-use-ld=lld"])]),
    // What a view shows, for simulation, benchmark and tests.
    module("ViewModel", ["JSONCodec"], settings: small),
    // A core, views, authenticators and time in one process, under a seed.
    module(
      "Simulation",
      [
        "AuthenticatorKit", "EngineCore", "EngineEvents", "EventLoop", "FlowFiles", "JSONCodec", "LoginEngine",
        "LoginForms", "LoginProtocol", "Recording", "ViewModel",
      ], settings: strict),
    program("engine-simulation", ["CommandLineKit", "EventLoop", "Simulation"]),
    program("login-terminal", ["CSystem", "JSONCodec"], path: "clients/swift/login-terminal"),
    // What tests of programs share: it keeps the lines that those write, if asked to.
    module("WrittenLines", path: "Tests/WrittenLines", settings: strict),
    // What all tests share: numbers drawn by a seed, directories that go with a test, where the built programs are.
    module("TestSupport", path: "Tests/TestSupport", settings: strict),
    // Passkeys in software, for tests: they sign with libcrypto, which shares no code with what verifies them.
    .target(name: "CSoftwareKeys", path: "Tests/CSoftwareKeys", linkerSettings: [.linkedLibrary("crypto")]),
    module("SoftwareKeys", ["CSoftwareKeys", "WebAuthn"], path: "Tests/SoftwareKeys", settings: strict),
    tests("JSONCodecTests", ["JSONCodec", "TestSupport"], walks: true),
    tests("AuthenticatorKitTests", ["AuthenticatorKit", "JSONCodec", "LoginForms"]),
    tests("LoginFormsTests", ["LoginForms", "TestSupport"], walks: true),
    tests("LoginMachineTests", ["LoginForms", "LoginMachine", "FlowFiles"], walks: true),
    tests(
      "FlowExplorerTests", ["FlowExplorer", "FlowFiles", "LoginForms", "LoginMachine", "TestSupport"], walks: true),
    tests("FlowFilesTests", ["FlowFiles", "JSONCodec", "LoginForms"]),
    tests(
      "LoginProtocolTests",
      [
        "AuthenticatorKit", "LoginProtocol", "JSONCodec", "LoginForms", "LoginMachine", "FlowFiles", "TestSupport",
        "ViewModel",
      ]),
    tests(
      "RecordingTests",
      [
        "Recording", "EngineEvents", "FlowFiles", "JSONCodec", "LoginForms", "LoginMachine", "LoginProtocol",
        "TestSupport",
      ]),
    tests("CommandLineKitTests", ["CommandLineKit"]),
    tests("DemoAuthenticatorTests", ["DemoAuthenticator", "JSONCodec", "TestSupport"]),
    tests("SecretMemoryTests", ["SecretMemory"]),
    tests(
      "EngineCoreTests",
      [
        "AuthenticatorKit", "EngineCore", "EngineEvents", "FlowFiles", "JSONCodec", "LoginForms", "LoginMachine",
        "LoginProtocol", "SecretMemory", "TestSupport", "ViewModel",
      ], walks: true),
    tests("FenceTests", ["Fence", "TestSupport"]),
    tests("EventLoopTests", ["EventLoop", "SecretMemory", "TestSupport"]),
    tests("OneTimeCodesTests", ["CCrypto", "OneTimeCodes", "SecretMemory"]),
    tests("WebAuthnTests", ["JSONCodec", "SoftwareKeys", "TestSupport", "WebAuthn"]),
    tests(
      "AccountStoreTests",
      [
        "AccountStore", "CAccountLibraries", "CCrypto", "EventLoop", "OneTimeCodes", "SecretMemory", "TestSupport",
      ] + server),
    tests(
      "AccountServiceTests",
      [
        "AccountService", "AccountStore", "CAccountLibraries", "CommandLineKit", "EventLoop", "JSONCodec",
        "OneTimeCodes",
        "SecretMemory", "SoftwareKeys", "TestSupport", "WebAuthn", "WrittenLines",
      ] + server),
    tests("MessageListTests", ["AccountService", "FlowFiles", "JSONCodec", "LoginForms"]),
    tests("TranscriptTests", ["JSONCodec", "TestSupport", "WrittenLines"]),
    tests("LoginEngineCTests", ["CLoginEngine", "FlowFiles", "JSONCodec", "LoginEngineC"]),
    tests("SimulationTests", ["Simulation"]),
    tests("ViewModelTests", ["FlowFiles", "JSONCodec", "LoginForms", "ViewModel"]),
    tests(
      "LoginEngineTests",
      [
        "CAccountLibraries", "EventLoop", "JSONCodec", "OneTimeCodes", "SecretMemory", "SoftwareKeys", "TestSupport",
        "WebAuthn",
        "WrittenLines",
      ]),
  ] + serverTargets
)
