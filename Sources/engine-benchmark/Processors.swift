import CSystem

/// The two processors that the measurements use, fixed so that the scheduler does not move
/// processes.
struct Processors {
  /// The processor of the program under test.
  let tested: Int32
  /// The processor of this program; the same one if only one is available.
  let driving: Int32

  init() {
    var numbers: [Int32] = [0, 0]
    let count = csystem_allowed_processors(&numbers, 2)
    tested = numbers[0]
    driving = count > 1 ? numbers[1] : numbers[0]
  }

  var areTwo: Bool { tested != driving }

  /// Restricts this program to `processor`. Without permission, the scheduler decides.
  func drive(on processor: Int32) { _ = csystem_run_on_processor(0, processor) }

  func place(_ process: Int32, on processor: Int32) { _ = csystem_run_on_processor(process, processor) }
}
