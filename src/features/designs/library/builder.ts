import type { Block, Colours, Design, PlainBlock, Row, Theme } from '../design-schemas.ts'
import type { Inline, Mark, RichText } from '../rich-text-schemas.ts'

export type Language = 'en' | 'fr'

/** Chooses between English and French. */
export type Say = (en: string, fr: string) => string

/** A design that comes with the program. */
export interface LibraryEntry {
  id: string
  category: 'marketing' | 'service'
  name: Record<Language, string>
  description: Record<Language, string>
  make(say: Say, language: Language): Design
}

const neutral = { background: '#f5f4f0', surface: '#ffffff', text: '#22211d', muted: '#66635b', line: '#e3dfd5' }
const night = { background: '#121211', surface: '#1d1d1b', text: '#f1efe9', muted: '#aca89d', line: '#3a3933' }

function palette(light: Pick<Colours, 'accent' | 'tinted'>, dark: Pick<Colours, 'accent' | 'tinted'>) {
  return {
    colours: { ...neutral, ...light, onAccent: '#ffffff' },
    dark: { ...night, ...dark, onAccent: '#15140f' },
  }
}

/** Colours of the library, for light and dark: accents of the dark are deep, as whole rows are drawn in them. */
export const palettes = {
  teal: palette({ accent: '#14574b', tinted: '#e9f2ef' }, { accent: '#55a893', tinted: '#1d2f2a' }),
  blue: palette({ accent: '#1f4a8a', tinted: '#e9eff8' }, { accent: '#7aa5ea', tinted: '#1d2739' }),
  plum: palette({ accent: '#6d2f5c', tinted: '#f6ecf3' }, { accent: '#c98bb9', tinted: '#331f2d' }),
  clay: palette({ accent: '#9a3f1d', tinted: '#fbeee7' }, { accent: '#d98b68', tinted: '#38241b' }),
  ink: palette({ accent: '#2b2a27', tinted: '#efede6' }, { accent: '#e8e5dc', tinted: '#2a2926' }),
} satisfies Record<string, Pick<Theme, 'colours' | 'dark'>>

/** A theme of the library. */
export function theme(
  { colours, dark }: Pick<Theme, 'colours' | 'dark'>,
  fonts: Theme['fonts'] = { heading: 'sans', body: 'sans' },
): Theme {
  return { width: 600, colours, dark, fonts, radius: 6 }
}

/** Pieces of a paragraph: words, words with marks, and `{{ values }}` as chips. */
type Piece = string | Inline

const text = (words: string, marks?: Mark[]): Inline => ({ type: 'text', text: words, ...(marks && { marks }) })
export const bold = (words: string): Inline => text(words, [{ type: 'bold' }])
export const link = (words: string, href: string): Inline => text(words, [{ type: 'link', attrs: { href } }])

/** Words, in which `{{ }}` become chips. */
function inline(piece: Piece): Inline[] {
  if (typeof piece !== 'string') return [piece]
  return piece
    .split(/(\{\{[^{}]*\}\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{{') ? { type: 'value', attrs: { code: part } } : text(part)))
}

const paragraph = (pieces: readonly Piece[]) => ({ type: 'paragraph' as const, content: pieces.flatMap(inline) })

/** Formatted text of paragraphs, each a list of pieces. */
export function rich(...paragraphs: (string | readonly Piece[])[]): RichText {
  return { type: 'doc', content: paragraphs.map((one) => paragraph(typeof one === 'string' ? [one] : one)) }
}

/** Formatted text of lines that belong together: one paragraph. */
export function lines(...all: (string | readonly Piece[])[]): RichText {
  const content = all.flatMap((one, index): Inline[] => [
    ...(index > 0 ? [{ type: 'hardBreak' as const }] : []),
    ...(typeof one === 'string' ? [one] : one).flatMap(inline),
  ])
  return { type: 'doc', content: [{ type: 'paragraph', content }] }
}

/** The same text, its paragraphs in the middle. */
export function centred({ content }: RichText): RichText {
  return {
    type: 'doc',
    content: content.map((node) =>
      node.type === 'paragraph' ? { ...node, attrs: { align: 'center' as const } } : node,
    ),
  }
}

/** A list of lines. */
export function bullets(...lines: (string | readonly Piece[])[]): RichText {
  const items = lines.map((one) => ({
    type: 'listItem' as const,
    content: [paragraph(typeof one === 'string' ? [one] : one)],
  }))
  return { type: 'doc', content: [{ type: 'bulletList', content: items }] }
}

type Options<Type extends PlainBlock['type']> = Partial<Omit<Extract<PlainBlock, { type: Type }>, 'type'>>

/** Blocks by their words. */
export const block = {
  heading: (words: string, options: Options<'heading'> = {}): PlainBlock => ({
    type: 'heading',
    text: words,
    ...options,
  }),
  text: (words: RichText | string, options: Options<'text'> = {}): PlainBlock => ({
    type: 'text',
    text: typeof words === 'string' ? rich(words) : words,
    ...options,
  }),
  button: (words: string, href: string, options: Options<'button'> = {}): PlainBlock => ({
    type: 'button',
    text: words,
    href,
    ...options,
  }),
  space: (height: number): PlainBlock => ({ type: 'spacer', height }),
  divider: (): PlainBlock => ({ type: 'divider' }),
}

/** A row of one column. */
export function row(blocks: Block[], options: Partial<Omit<Row, 'columns' | 'blocks'>> = {}): Row {
  return { columns: [100], blocks: [blocks], ...options }
}

/** Columns of one width each, within a row. */
export function columns(...blocks: PlainBlock[][]): Block {
  return { type: 'columns', columns: blocks.map(() => Math.floor(100 / blocks.length)), blocks }
}

/** The name of the shop above a message. */
export function header(): Row {
  return row([{ type: 'header', name: '{{ account.name }}', href: 'https://shop.example/' }], { background: 'none' })
}

const ADDRESS = 'Example Shop, 1 Example Street, 69001 Lyon, France'

/** The end of a marketing message: why it came, the address, the ways out. */
export function footer(translate: Say): Row {
  return row(
    [
      {
        type: 'footer',
        text: rich(
          translate(
            'You receive this because you subscribed to our news.',
            'Vous recevez ce message parce que vous avez demandé à recevoir nos nouvelles.',
          ),
        ),
        address: ADDRESS,
        unsubscribe: translate('Unsubscribe', 'Se désabonner'),
        online: translate('Read in the browser', 'Lire dans le navigateur'),
      },
    ],
    { background: 'none' },
  )
}

/** The end of a service message: whom to ask. */
export function serviceFooter(translate: Say): Row {
  return row(
    [
      {
        type: 'footer',
        text: rich([
          translate('A question? Write to ', 'Une question ? Écrivez à '),
          link('help@shop.example', 'mailto:help@shop.example'),
          translate('; a person answers.', ' ; une personne vous répond.'),
        ]),
        address: ADDRESS,
        unsubscribe: '',
      },
    ],
    { background: 'none' },
  )
}
