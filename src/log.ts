import pino, { type Logger } from 'pino'

/** Of a terminal's lines: a program that has none, and each of its threads, does without. */
const pretty = process.stderr.isTTY ? (await import('pino-pretty')).default : undefined

/** Members that may hold an address, a key or a body never reach a line. */
const SECRET = ['key', 'password', 'authorization', 'req.headers', '*.password', '*.secret', 'headers["x-key"]']

/** Structured lines on standard error; readable ones when that is a terminal. */
export function createLog({ logLevel }: { logLevel: string }): Logger {
  const options = { level: logLevel, redact: { paths: SECRET, remove: true } }
  return pretty
    ? pino(options, pretty({ colorize: true, destination: 2, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' }))
    : pino(options, pino.destination(2))
}
