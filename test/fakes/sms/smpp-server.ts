import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { pdu, type RawPdu, reader, readSubmission, text, tlv } from './smpp-server-pdu.ts'

import type { BindRecord, Delivered, SmppAnswer, SmppServer, SmppServerOptions } from './smpp-server-types.ts'

export type { Submitted } from './smpp-server-pdu.ts'
export type {
  BindRecord,
  Delivered,
  SmppAnswer,
  SmppEvent,
  SmppServer,
  SmppServerOptions,
} from './smpp-server-types.ts'

const BIND_KINDS: Readonly<Record<number, BindRecord['kind']>> = { 1: 'receiver', 2: 'transmitter', 9: 'transceiver' }
const RESPONSE = 0x80000000
/** Octets of the longest PDU. */
const MAX_PDU = 70_000

interface Connection {
  number: number
  socket: Socket
  bind: BindRecord | undefined
  /** Submissions without an answer. */
  open: number
  /** What waits for the answers to deliveries, by sequence. */
  answers: Map<number, (status: number) => void>
  sequence: number
}

/** The PDU of a delivery. */
function deliveryPdu(what: Delivered, sequence: number): Buffer {
  const { octets = Buffer.alloc(0), tlvs = [], command = 'deliver_sm' } = what
  const addresses = Buffer.concat([
    text(''),
    Buffer.of(what.sourceTon ?? 1, 1),
    text(what.source ?? '33601020304'),
    Buffer.of(what.destinationTon ?? 3, 0),
    text(what.destination ?? '36111'),
  ])
  const [esmClass, dataCoding] = [what.esmClass ?? 0, what.dataCoding ?? 0]
  const rest =
    command === 'data_sm'
      ? [Buffer.of(esmClass, 0, dataCoding), tlv(0x0424, octets)]
      : [Buffer.of(esmClass, 0, 0, 0, 0, 0, 0, dataCoding, 0, octets.length), octets]
  const body = Buffer.concat([addresses, ...rest, ...tlvs.map(([tag, value]) => tlv(tag, value))])
  return pdu(command === 'data_sm' ? 0x103 : 5, 0, sequence, body)
}

/** A message centre in process: notes whatever is not as SMPP 3.4 says, and misbehaves as a test wants. Loopback only. */
export async function startSmppServer(options: SmppServerOptions = {}): Promise<SmppServer> {
  const connections = new Set<Connection>()
  const attempts = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()
  let connectionCount = 0
  const { behave = () => undefined, messageId = (n) => n.toString(16).padStart(8, '0').toUpperCase() } = options

  const server: SmppServer = {
    port: 0,
    binds: [],
    openBinds: new Set(),
    submitted: [],
    faults: [],
    nacks: [],
    enquiries: 0,
    unbinds: 0,
    deliver,
    write: (octets) => {
      for (const { socket } of connections) socket.write(octets)
    },
    unbindAll: () => {
      for (const connection of connections) connection.socket.write(pdu(6, 0, ++connection.sequence))
    },
    cutAll: () => {
      for (const { socket } of connections) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        listener.close(() => resolve())
        for (const { socket } of connections) socket.destroy()
      }),
  }

  function respond(connection: Connection, asked: RawPdu, body: Buffer, answer: SmppAnswer, done = () => {}): void {
    const write = (octets: Buffer) => {
      done()
      if (!connection.socket.destroyed) connection.socket.write(octets)
    }
    if (answer === 'drop' || answer === 'take and drop') connection.socket.destroy()
    // The client gives up waiting and may go on with others.
    else if (answer === 'stall' || answer === 'take and stall') done()
    else if (answer !== undefined && 'raw' in answer) write(answer.raw)
    else {
      const { status = 0, until, afterMs } = answer ?? {}
      const octets = pdu(asked.id + RESPONSE, status, asked.sequence, status === 0 ? body : undefined)
      if (until !== undefined) void until.then(() => write(octets))
      else if (afterMs === undefined) write(octets)
      else {
        const timer = setTimeout(() => {
          timers.delete(timer)
          write(octets)
        }, afterMs)
        timers.add(timer)
      }
    }
  }

  function bind(connection: Connection, asked: RawPdu): void {
    const from = reader(asked.body)
    const systemId = from.text('system_id', 16)
    const password = from.text('password', 9)
    const systemType = from.text('system_type', 13)
    if (from.octet('interface_version') !== 0x34) server.faults.push('interface_version is not 0x34')
    from.octet('addr_ton')
    from.octet('addr_npi')
    from.text('address_range', 41)
    if (!from.isOver()) server.faults.push('octets after the fields of a bind')
    if (connection.bind) server.faults.push('bound twice')
    const wanted = options.credentials
    const refusal = wanted && (systemId !== wanted.systemId ? 0x0f : password !== wanted.password ? 0x0e : undefined)
    const answer =
      refusal === undefined
        ? behave({ kind: 'bind', connection: connection.number, destination: '', attempt: 0 })
        : { status: refusal }
    const isAccepted = answer === undefined || (typeof answer === 'object' && 'status' in answer && answer.status === 0)
    if (isAccepted) {
      connection.bind = { connection: connection.number, kind: BIND_KINDS[asked.id]!, systemId, systemType }
      server.binds.push(connection.bind)
      server.openBinds.add(connection.bind)
    }
    respond(connection, asked, text('fake'), answer)
  }

  function submit(connection: Connection, asked: RawPdu): void {
    const read = readSubmission(asked.body)
    if (connection.bind === undefined || connection.bind.kind === 'receiver') {
      server.faults.push('a submission without a bind that allows it')
      connection.socket.write(pdu(asked.id + RESPONSE, 4, asked.sequence))
      return
    }
    if (++connection.open > (options.window ?? Number.POSITIVE_INFINITY))
      server.faults.push(`${connection.open} unanswered submissions`)
    const { destination } = read
    const attempt = (attempts.get(destination) ?? 0) + 1
    attempts.set(destination, attempt)
    const answer = behave({ kind: 'submit', connection: connection.number, destination, attempt })
    const isTaken =
      answer === undefined ||
      answer === 'take and drop' ||
      answer === 'take and stall' ||
      (typeof answer === 'object' && 'status' in answer && answer.status === 0)
    const id = messageId(server.submitted.length + 1)
    if (isTaken) server.submitted.push({ ...read, messageId: id, connection: connection.number })
    respond(connection, asked, text(id), answer, () => connection.open--)
  }

  function take(connection: Connection, asked: RawPdu): void {
    const { id, sequence, status } = asked
    if (id === RESPONSE) server.nacks.push({ status, sequence })
    else if (id > RESPONSE) connection.answers.get(sequence)?.(status)
    else if (id === 4) submit(connection, asked)
    else if (id in BIND_KINDS) bind(connection, asked)
    else if (id === 0x15) {
      server.enquiries++
      respond(
        connection,
        asked,
        Buffer.alloc(0),
        behave({ kind: 'enquire', connection: connection.number, destination: '', attempt: 0 }),
      )
    } else if (id === 6) {
      server.unbinds++
      connection.socket.end(pdu(id + RESPONSE, 0, sequence))
    } else {
      server.faults.push(`command ${id.toString(16)}`)
      connection.socket.write(pdu(RESPONSE, 3, sequence))
    }
  }

  function frame(connection: Connection, octets: Buffer): void {
    const [id, status, sequence] = [octets.readUInt32BE(4), octets.readUInt32BE(8), octets.readUInt32BE(12)]
    if (id < RESPONSE && (status !== 0 || sequence === 0 || sequence > 0x7fffffff))
      server.faults.push(`status ${status}, sequence ${sequence} in a request`)
    try {
      take(connection, { id, status, sequence, body: octets.subarray(16) })
    } catch (error) {
      server.faults.push(`command ${id.toString(16)}: ${error instanceof Error ? error.message : error}`)
      connection.socket.write(pdu(RESPONSE, 2, sequence))
    }
  }

  function serve(socket: Socket): void {
    const connection: Connection = {
      number: ++connectionCount,
      socket,
      bind: undefined,
      open: 0,
      answers: new Map(),
      sequence: 0,
    }
    connections.add(connection)
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 16) {
        const length = rest.readUInt32BE(0)
        if (length < 16 || length > MAX_PDU) {
          server.faults.push(`a PDU of ${length} octets`)
          socket.destroy()
          return
        }
        if (rest.length < length) return
        const whole = rest.subarray(0, length)
        rest = rest.subarray(length)
        if (!socket.destroyed) frame(connection, whole)
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      connections.delete(connection)
      if (connection.bind) server.openBinds.delete(connection.bind)
      for (const settle of connection.answers.values()) settle(-1)
    })
  }

  function deliver(what: Delivered): Promise<number> {
    const connection = [...connections].find(({ bind: record }) => record && record.kind !== 'transmitter')
    if (!connection) return Promise.reject(new Error('no bind receives'))
    const sequence = ++connection.sequence
    return new Promise((resolve) => {
      connection.answers.set(sequence, (status) => {
        connection.answers.delete(sequence)
        resolve(status)
      })
      connection.socket.write(deliveryPdu(what, sequence))
    })
  }

  const listener = options.tls
    ? createTlsServer({ ...options.tls, noDelay: true }, serve)
    : createTcpServer({ noDelay: true }, serve)
  if (options.tls) listener.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = listener.address()
  server.port = typeof address === 'object' && address !== null ? address.port : 0
  return server
}
