import CSystem

/// The two processors on which the measurements run. Each process is fixed to one of them, so that
/// the scheduler does not move it.
struct Processors {
  /// The number of the processor on which the measured program runs.
  let tested: Int32
  /// The number of the processor on which this program runs; equal to `tested` if only one is
  /// available.
  let driving: Int32

  init() {
    var numbers: [Int32] = [0, 0]
    let count = csystem_allowed_processors(&numbers, 2)
    tested = numbers[0]
    driving = count > 1 ? numbers[1] : numbers[0]
  }

  var areTwo: Bool { tested != driving }

  /// Restricts this program to one processor. If that is not permitted, the scheduler chooses
  /// processors as usual.
  func drive(on processor: Int32) { _ = csystem_run_on_processor(0, processor) }

  func place(_ process: Int32, on processor: Int32) { _ = csystem_run_on_processor(process, processor) }
}
