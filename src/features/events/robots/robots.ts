import { readFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** Directory of the lists delivered with the program. */
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

const AgentsFile = Type.Object({ robots: Type.Array(Type.String()), imageProxies: Type.Array(Type.String()) })
const RangesFile = Type.Object({
  mailPrivacy: Type.Array(Type.String()),
  google: Type.Array(Type.String()),
  machines: Type.Array(Type.String()),
})

/**
 * Reads `agents.json` and `ranges.json` of a directory: parts of user agents, in any case, and networks as
 * `192.0.2.0/24`. Throws when a file is missing or ill-formed, so that a bad file never replaces a valid one.
 */
export async function loadRobotPatterns(directory: string): Promise<RobotPatterns> {
  const agentLists = Value.Parse(AgentsFile, await readJsonFile(join(directory, 'agents.json')))
  const rangeLists = Value.Parse(RangesFile, await readJsonFile(join(directory, 'ranges.json')))
  return {
    agents: buildAnyPattern(agentLists.robots),
    imageProxies: buildAnyPattern(agentLists.imageProxies),
    mailPrivacyRanges: buildBlockList(rangeLists.mailPrivacy),
    googleRanges: buildBlockList(rangeLists.google),
    machineRanges: buildBlockList(rangeLists.machines),
  }
}

async function readJsonFile(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** A pattern that finds any of the parts; a part that begins with `^` only at the start. */
function buildAnyPattern(parts: string[]): RegExp {
  const patterns = parts.map((part) => {
    const isStart = part.startsWith('^')
    return (isStart ? '^' : '') + RegExp.escape(isStart ? part.slice(1) : part)
  })
  // Without a part nothing is found.
  return new RegExp(patterns.join('|') || '(?!)', 'i')
}

function buildBlockList(texts: string[]): BlockList {
  const blockList = new BlockList()
  for (const text of texts) {
    const [network = '', prefixLength] = text.split('/')
    blockList.addSubnet(network, Number(prefixLength), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return blockList
}
