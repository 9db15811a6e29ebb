import CSystem

/// The memory of this process.
public enum Heap {
  /// Asks for huge pages for what is allocated from here on, if the system offers them; to be called again as the heap grows.
  ///
  /// With hundreds of megabytes looked at in no order, finding a page takes as long as reading it. From one thread only.
  public static func useHugePages() { csystem_use_huge_heap_pages() }
}
