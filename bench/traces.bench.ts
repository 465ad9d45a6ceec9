import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { type SendingStage, sendCampaign, startSendingStage, untilIndexed } from './sent-campaign.ts'
import { startSinkProcess } from './sink.ts'

const MESSAGES = 20_000
/** Campaigns of each that are measured, after two that are not. */
const ROUNDS = 9

/** A collector that takes spans and keeps nothing but how many octets came. */
async function startCollector() {
  let octets = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      octets += chunk.length
    })
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, octets: () => octets, stop: () => server.close() }
}

/**
 * What traces cost a service that sends campaigns and exports the spans to a collector on the same machine, beside one that
 * exports none: campaigns of the two take turns. `costPercent`: of processor time, each campaign's by that of the sink in the same
 * seconds, as a machine may be slower from one minute to the next; of the medians. At most 2.
 */
export const benchmark: Benchmark = async (report, size) => {
  const messages = size ?? MESSAGES
  const sink = await startSinkProcess()
  const collector = await startCollector()
  const stages: SendingStage[] = []
  try {
    const exporting: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    for (const settings of [{}, exporting]) stages.push(await startSendingStage(sink, messages, settings))
    const milliseconds: [number[], number[]] = [[], []]
    const bySink: [number[], number[]] = [[], []]
    for (let round = -2; round < ROUNDS; round++) {
      for (const [n, stage] of stages.entries()) {
        if (round === 0) await untilIndexed(stage)
        const { processorMs, perSecond } = await sendCampaign(stage)
        report(`${n === 0 ? 'plain' : 'traced'}: ${Math.round(perSecond)} messages/s, ${processorMs.service} ms`)
        if (round < 0) continue
        milliseconds[n]?.push(processorMs.service)
        bySink[n]?.push(processorMs.service / processorMs.sink)
      }
    }
    if (collector.octets() === 0) throw new Error('no span was exported')
    return {
      messages,
      processorMsPerMessage: median(milliseconds[0]),
      tracedProcessorMsPerMessage: median(milliseconds[1]),
      costPercent: rounded(100 * (median(bySink[1]) / median(bySink[0]) - 1)),
      octetsOfSpansPerMessage: rounded(collector.octets() / (messages * (ROUNDS + 2))),
    }
  } finally {
    for (const stage of stages) await stage.stop()
    collector.stop()
    sink.stop()
  }
}
