const BEGINNING = /^From \S{1,320} +\w{3} \w{3} +\d{1,2} \d\d:\d\d/
const LF = 10
const CR = 13

/** The mails of a file: those of an mbox (RFC 4155), which begin with a `From ` line after a blank one, else the file itself. */
export function splitMbox(file: Buffer): Buffer[] {
  const starts: number[] = []
  for (let at = 0; at >= 0 && (at === 0 || starts.length > 0); at = file.indexOf('\nFrom ', at) + 1 || -1) {
    const isAfterBlank = at === 0 || file[at - 2] === LF || (file[at - 2] === CR && file[at - 3] === LF)
    if (isAfterBlank && BEGINNING.test(file.toString('latin1', at, at + 400))) starts.push(at)
  }
  return starts.length === 0 ? [file] : starts.map((start, n) => file.subarray(start, starts[n + 1]))
}
