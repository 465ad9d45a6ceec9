import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from './columnar-engine-library.ts'
import { makePipes } from './columnar-engine-pipes.ts'
import { type Front, handleRequest } from './columnar-engine-requests.ts'

/** What the test asks of its engine. */
export type Order = { order: 'refuse' } | { order: 'accept' } | { order: 'lose'; matching: string }

/** What the process is started with, as JSON in its first argument. */
export interface EngineSettings {
  installed: string
  directory: string
  /** Of what lives no longer than a request. */
  scratch: string
  port: number
  user: string
  password: string
  database: string
}

/** Bytes; as long as the server lets an address be. */
const LONGEST_HEAD = 1_048_576

const settings: EngineSettings = JSON.parse(process.argv[2]!)

/** So that a test that dies leaves no engine behind. An exit of its own accord would wait for the statements that run. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const database = await openDatabase(settings.installed, settings.directory)
await database.run([], `create database if not exists \`${settings.database}\``, 'Null')

const front: Front = { ...settings, engine: database, pipes: await makePipes(settings.scratch), losing: undefined }

const server = createServer(
  { requestTimeout: 0, maxHeaderSize: LONGEST_HEAD },
  (request: IncomingMessage, response: ServerResponse) => {
    void handleRequest(front, request, response)
  },
)
server.keepAliveTimeout = 10_000

const listen = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

const port = await listen(settings.port)

process.on('message', async (order: Order) => {
  if (order.order === 'lose') front.losing = order.matching
  if (order.order === 'accept') await listen(port)
  if (order.order === 'refuse') {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  process.send!({ done: order.order })
})

process.send!({ port })
