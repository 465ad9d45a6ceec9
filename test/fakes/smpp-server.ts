import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { pdu, type RawPdu, reader, readSubmission, type Submitted, text, tlv } from './smpp-server-pdu.ts'

export type { Submitted } from './smpp-server-pdu.ts'

export interface SmppEvent {
  kind: 'bind' | 'submit' | 'enquire'
  /** Number of the connection, from 1 on. */
  connection: number
  /** Of a submission. */
  destination: string
  /** How many submissions to this destination there were, with this one. */
  attempt: number
}

/**
 * undefined: as a good server does. Another status; `afterMs` later. Anything at all as the answer. The connection ends
 * before the submission is looked at (`drop`) or after it was taken (`take and drop`); no answer ever comes (`stall`),
 * although it was taken (`take and stall`).
 */
export type SmppAnswer =
  | undefined
  | { status: number; afterMs?: number }
  | { raw: Buffer }
  | 'drop'
  | 'take and drop'
  | 'stall'
  | 'take and stall'

export interface SmppServerOptions {
  port?: number
  credentials?: { systemId: string; password: string }
  /** PEM. */
  tls?: { key: string; cert: string }
  behave?: (event: SmppEvent) => SmppAnswer
  /** More unanswered submissions on one bind are noted as a fault. */
  window?: number
  /** The id of the nth submission; default: its number in eight hexadecimal digits. */
  messageId?: (n: number) => string
}

export interface BindRecord {
  connection: number
  kind: 'transceiver' | 'transmitter' | 'receiver'
  systemId: string
  systemType: string
}

export interface Delivered {
  source?: string
  sourceTon?: number
  destination?: string
  destinationTon?: number
  esmClass?: number
  dataCoding?: number
  octets?: Buffer
  tlvs?: [number, Buffer][]
  command?: 'deliver_sm' | 'data_sm'
}

export interface SmppServer {
  port: number
  /** Every bind that was let in, and those that stand. */
  binds: BindRecord[]
  standing: Set<BindRecord>
  /** What was taken, in order. */
  submitted: Submitted[]
  /** Whatever the client did that the protocol does not allow. */
  faults: string[]
  /** PDUs the client sent that answer nothing: generic_nack with its status. */
  nacks: { status: number; sequence: number }[]
  enquiries: number
  unbinds: number
  /** Delivers to a bind that receives, and gives the status of the answer. */
  deliver(what: Delivered): Promise<number>
  /** Writes octets to every bind, as they are. */
  write(octets: Buffer): void
  /** Asks every client to unbind. */
  unbindAll(): void
  cutAll(): void
  close(): Promise<void>
}

const BIND_KINDS: Readonly<Record<number, BindRecord['kind']>> = { 1: 'receiver', 2: 'transmitter', 9: 'transceiver' }
const RESPONSE = 0x80000000
const LONGEST = 70_000

interface Connection {
  number: number
  socket: Socket
  bind: BindRecord | undefined
  open: number
  answers: Map<number, (status: number) => void>
  sequence: number
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
    standing: new Set(),
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
    const say = (octets: Buffer) => {
      done()
      if (!connection.socket.destroyed) connection.socket.write(octets)
    }
    if (answer === 'drop' || answer === 'take and drop') connection.socket.destroy()
    // A client that waits for it in vain may go on with others.
    else if (answer === 'stall' || answer === 'take and stall') done()
    else if (answer !== undefined && 'raw' in answer) say(answer.raw)
    else {
      const { status = 0, afterMs } = answer ?? {}
      const octets = pdu(asked.id + RESPONSE, status, asked.sequence, status === 0 ? body : undefined)
      if (afterMs === undefined) say(octets)
      else {
        const timer = setTimeout(() => {
          timers.delete(timer)
          say(octets)
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
    if (!from.isOver()) server.faults.push('a bind with something behind it')
    if (connection.bind) server.faults.push('bound twice')
    const wanted = options.credentials
    const refusal = wanted && (systemId !== wanted.systemId ? 0x0f : password !== wanted.password ? 0x0e : undefined)
    const answer =
      refusal === undefined
        ? behave({ kind: 'bind', connection: connection.number, destination: '', attempt: 0 })
        : { status: refusal }
    const isLetIn = answer === undefined || (typeof answer === 'object' && 'status' in answer && answer.status === 0)
    if (isLetIn) {
      connection.bind = { connection: connection.number, kind: BIND_KINDS[asked.id]!, systemId, systemType }
      server.binds.push(connection.bind)
      server.standing.add(connection.bind)
    }
    respond(connection, asked, text('fake'), answer)
  }

  function submit(connection: Connection, asked: RawPdu): void {
    const read = readSubmission(asked.body)
    if (connection.bind === undefined || connection.bind.kind === 'receiver') {
      server.faults.push('a submission without a bind that may')
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
        if (length < 16 || length > LONGEST) {
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
      if (connection.bind) server.standing.delete(connection.bind)
      for (const settle of connection.answers.values()) settle(-1)
    })
  }

  /** -1: the connection ended instead. */
  function deliver(what: Delivered): Promise<number> {
    const connection = [...connections].find(({ bind: record }) => record && record.kind !== 'transmitter')
    if (!connection) return Promise.reject(new Error('no bind receives'))
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
    const sequence = ++connection.sequence
    return new Promise((resolve) => {
      connection.answers.set(sequence, (status) => {
        connection.answers.delete(sequence)
        resolve(status)
      })
      connection.socket.write(pdu(command === 'data_sm' ? 0x103 : 5, 0, sequence, body))
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
