import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logPostgresLine } from './open.ts'

test('lines of the embedded database are logged for who debugs, and as warnings when it fails', () => {
  const levels: string[] = []
  const log = { debug: () => levels.push('debug'), warn: () => levels.push('warn') }
  const lines = [
    ['debug', 'postmaster: LOG:  database system is ready to accept connections'],
    ['debug', 'client backend: FATAL:  terminating connection due to administrator command'],
    ['debug', 'postmaster: LOG:  background worker "logical replication launcher" (PID 9847) exited with exit code 1'],
    ['warn', 'checkpointer: ERROR:  could not write to file "base/1": No space left on device'],
    ['warn', 'startup: PANIC:  could not locate a valid checkpoint record'],
    ['warn', 'postmaster: LOG:  client backend (PID 4711) was terminated by signal 9: Killed'],
  ] as const
  for (const [, line] of lines) logPostgresLine(log, line)
  assert.deepEqual(
    levels,
    lines.map(([level]) => level),
  )
})
