/** A stream that Node reads, such as a child's output. */
export type Lines = AsyncIterable<string> & { setEncoding(encoding: "utf8"): void };

/** Returns the lines of a stream, one after another, without their line feeds. */
export async function* linesOf(stream: Lines): AsyncGenerator<string> {
  stream.setEncoding("utf8");
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line;
  }
}
