const FROM_LINE = /^From \S{1,320} +\w{3} \w{3} +\d{1,2} \d\d:\d\d/
const LF = 10
const CR = 13

/** The mails of a file: those of an mbox (RFC 4155), which begin with a `From ` line after a blank one, else the file itself. */
export function splitMbox(file: Buffer): Buffer[] {
  const mailStarts: number[] = []
  for (
    let lineStart = 0;
    lineStart >= 0 && (lineStart === 0 || mailStarts.length > 0);
    lineStart = file.indexOf('\nFrom ', lineStart) + 1 || -1
  ) {
    const isAfterBlank =
      lineStart === 0 || file[lineStart - 2] === LF || (file[lineStart - 2] === CR && file[lineStart - 3] === LF)
    if (isAfterBlank && FROM_LINE.test(file.toString('latin1', lineStart, lineStart + 400))) mailStarts.push(lineStart)
  }
  return mailStarts.length === 0 ? [file] : mailStarts.map((start, n) => file.subarray(start, mailStarts[n + 1]))
}
