import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileContent } from '../../../src/features/rendering/compile.ts'
import type { ContentSource } from '../../../src/features/rendering/content.ts'
import { renderMessage } from '../../../src/features/rendering/render.ts'
import {
  sampleInput,
  sampleScope,
  sampleSource,
  sampleTokenKeys,
  sampleTrackingUrl,
} from '../../../src/features/rendering/samples.ts'
import { createLiquidEngine, runTemplate } from '../../../src/features/rendering/templates/liquid.ts'
import { joinTextPieces } from '../../../src/features/rendering/templates/pieces.ts'
import { toLocationHeader } from '../../../src/features/tracking/targets.ts'
import { type LinkTokenKind, parseLinkToken } from '../../../src/lib/crypto/tokens.ts'

const FOLDER = join(import.meta.dirname, '../../fixtures/templates')

/** What the templates are sent with. */
export const data = {
  items: [
    { sku: 'A/1', name: 'Hat' },
    { sku: 'B&2', name: '"Coat"' },
  ],
  target: 'https://shop.example/made?a="1"&b=é#<x>',
  quoted: 'say "hi" & \'ho\'',
  place: 'Saint-Étienne',
  colour: '#c00',
  mail: 'ann@shop.example',
  vip: true,
  empty: null,
}

/** A template as it came, as its values alone make it, and as it is sent. */
export interface Newsletter {
  name: string
  written: string
  plain: string
  sent: string
  /** As a copy of the message has it: links lead straight to their targets. */
  copied: string
  /** Where an address of the sent message leads, as the answer's Location says it; undefined for one that is not ours. */
  follow(address: string): string | undefined
}

/** The addresses that were put into a sent message. */
export const OURS = new RegExp(`${sampleTrackingUrl}/t/[rmufoh]/[\\w-]{72}(?:/[\\w-]+)?`, 'g')

const kinds: Record<string, LinkTokenKind> = { r: 'redirection', m: 'mirror', u: 'unsubscribe', f: 'form' }

/** Only what Liquid makes of a template, without any reading of its HTML. */
function plainRendering(written: string, source: ContentSource): string {
  const engine = createLiquidEngine(source.culture, true)
  const { contact } = sampleScope({ data })
  const fields = Object.fromEntries(source.fields.map(({ id, name }) => [name, contact?.fields[id]]))
  const environment = { contact: fields, data }
  const state = { zone: 'UTC', now: 0, track: (_start: number, target: string) => target }
  return joinTextPieces(
    runTemplate(engine, engine.parse(written), { environment, bare: {}, strict: false, state }).fragments,
  )
}

function readNewsletter(file: string): Newsletter {
  const written = readFileSync(join(FOLDER, file), 'utf8')
  const part = file.startsWith('amp') ? 'amp' : 'html'
  const source = sampleSource({ [part]: written })
  const compiled = compileContent(source)
  const render = (mode: 'live' | 'copy'): string => {
    const rendered = renderMessage(compiled, sampleInput({ data }, { mode }))
    if (rendered.outcome !== 'rendered') throw new Error(`${file}: ${rendered.message}`)
    return rendered.parts[part] ?? ''
  }
  return {
    name: file.replace('.html', ''),
    written,
    plain: plainRendering(written, source),
    sent: render('live'),
    copied: render('copy'),
    follow(address) {
      const [, letter = '', token = '', travelling] = /\/t\/(\w)\/([\w-]{72})(?:\/([\w-]+))?$/.exec(address) ?? []
      const target = travelling === undefined ? undefined : Buffer.from(travelling, 'base64url').toString()
      const kind = kinds[letter]
      const read = kind && parseLinkToken(sampleTokenKeys, token, kind, target)
      if (!read) return undefined
      const url = target ?? compiled.links.find(({ id }) => id === read.link)?.url
      return url == null ? read.kind : toLocationHeader(url)
    },
  }
}

/** Every template of test/fixtures/templates, sent to the contact of the samples. */
export function readNewsletters(): Newsletter[] {
  return readdirSync(FOLDER).map(readNewsletter)
}
