import { readFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** Where the lists that come with the program are. */
export const ROBOTS_DIRECTORY = import.meta.dirname

/** The lists that distinguish robots from people. */
export interface RobotPatterns {
  /** Crawlers, security gateways, HTTP libraries. */
  agents: RegExp
  /** Proxies that fetch an image when a person looks. */
  imageProxies: RegExp
  mailPrivacyRanges: BlockList
  googleRanges: BlockList
  /** Mail scanners and data centres. */
  machineRanges: BlockList
}

const Agents = Type.Object({ robots: Type.Array(Type.String()), imageProxies: Type.Array(Type.String()) })
const Ranges = Type.Object({
  mailPrivacy: Type.Array(Type.String()),
  google: Type.Array(Type.String()),
  machines: Type.Array(Type.String()),
})

/**
 * Reads `agents.json` and `ranges.json` of a directory: parts of user agents, in any case, and networks as
 * `192.0.2.0/24`. Throws when a file is missing or ill-formed, so that a bad file never replaces a valid one.
 */
export async function loadRobotPatterns(directory: string): Promise<RobotPatterns> {
  const agents = Value.Parse(Agents, await readJson(join(directory, 'agents.json')))
  const ranges = Value.Parse(Ranges, await readJson(join(directory, 'ranges.json')))
  return {
    agents: anyOf(agents.robots),
    imageProxies: anyOf(agents.imageProxies),
    mailPrivacyRanges: networks(ranges.mailPrivacy),
    googleRanges: networks(ranges.google),
    machineRanges: networks(ranges.machines),
  }
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** A pattern that finds any of the parts; a part that begins with `^` only at the start. */
function anyOf(parts: string[]): RegExp {
  const patterns = parts.map((part) => {
    const isStart = part.startsWith('^')
    return (isStart ? '^' : '') + RegExp.escape(isStart ? part.slice(1) : part)
  })
  // Without a part nothing is found.
  return new RegExp(patterns.join('|') || '(?!)', 'i')
}

function networks(texts: string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [network = '', bits] = text.split('/')
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
