import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'

/** Members that may hold an address, a key or a body never reach a line. */
const SECRET = ['key', 'password', 'authorization', 'req.headers', '*.password', '*.secret', 'headers["x-key"]']

/** Structured lines on standard error; readable ones when that is a terminal. */
export function createLog({ logLevel }: { logLevel: string }): Logger {
  const options = { level: logLevel, redact: { paths: SECRET, remove: true } }
  return process.stderr.isTTY
    ? pino(options, pretty({ colorize: true, destination: 2, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' }))
    : pino(options, pino.destination(2))
}
