import CSystem

/// The heap of this process.
public enum Heap {
  /// Asks for huge pages for new allocations, if the system offers them. Call it again as the heap
  /// grows, and from one thread only.
  ///
  /// With random access to hundreds of megabytes, address translation takes as long as the access
  /// itself.
  public static func useHugePages() { csystem_use_huge_heap_pages() }
}
