import type {
  DesignContentBlock,
  DesignDocument,
  DesignRow,
  DesignTheme,
  PlainDesignBlock,
  ThemeColours,
} from '../design-schemas.ts'
import type { RichTextDocument, RichTextInline, RichTextInlineMark } from '../rich-text-schemas.ts'

export type LibraryLanguage = 'en' | 'fr'

/** Chooses between English and French. */
export type TranslateText = (en: string, fr: string) => string

/** A design that comes with the program. */
export interface LibraryEntry {
  id: string
  category: 'marketing' | 'service'
  name: Record<LibraryLanguage, string>
  description: Record<LibraryLanguage, string>
  make(say: TranslateText, language: LibraryLanguage): DesignDocument
}

const NEUTRAL_COLOURS = {
  background: '#f5f4f0',
  surface: '#ffffff',
  text: '#22211d',
  muted: '#66635b',
  line: '#e3dfd5',
}
const DARK_COLOURS = { background: '#121211', surface: '#1d1d1b', text: '#f1efe9', muted: '#aca89d', line: '#3a3933' }

function buildPalette(light: Pick<ThemeColours, 'accent' | 'tinted'>, dark: Pick<ThemeColours, 'accent' | 'tinted'>) {
  return {
    colours: { ...NEUTRAL_COLOURS, ...light, onAccent: '#ffffff' },
    dark: { ...DARK_COLOURS, ...dark, onAccent: '#15140f' },
  }
}

/** Colours of the library, for light and dark: accents of the dark are deep, as whole rows are drawn in them. */
export const libraryPalettes = {
  teal: buildPalette({ accent: '#14574b', tinted: '#e9f2ef' }, { accent: '#55a893', tinted: '#1d2f2a' }),
  blue: buildPalette({ accent: '#1f4a8a', tinted: '#e9eff8' }, { accent: '#7aa5ea', tinted: '#1d2739' }),
  plum: buildPalette({ accent: '#6d2f5c', tinted: '#f6ecf3' }, { accent: '#c98bb9', tinted: '#331f2d' }),
  clay: buildPalette({ accent: '#9a3f1d', tinted: '#fbeee7' }, { accent: '#d98b68', tinted: '#38241b' }),
  ink: buildPalette({ accent: '#2b2a27', tinted: '#efede6' }, { accent: '#e8e5dc', tinted: '#2a2926' }),
} satisfies Record<string, Pick<DesignTheme, 'colours' | 'dark'>>

/** A theme of the library. */
export function createLibraryTheme(
  { colours, dark }: Pick<DesignTheme, 'colours' | 'dark'>,
  fonts: DesignTheme['fonts'] = { heading: 'sans', body: 'sans' },
): DesignTheme {
  return { width: 600, colours, dark, fonts, radius: 6 }
}

/** Pieces of a paragraph: words, words with marks, and `{{ values }}` as chips. */
type ParagraphPiece = string | RichTextInline

const createText = (words: string, marks?: RichTextInlineMark[]): RichTextInline => ({
  type: 'text',
  text: words,
  ...(marks && { marks }),
})
export const boldText = (words: string): RichTextInline => createText(words, [{ type: 'bold' }])
export const linkText = (words: string, href: string): RichTextInline =>
  createText(words, [{ type: 'link', attrs: { href } }])

/** Words, in which `{{ }}` become chips. */
function createInline(piece: ParagraphPiece): RichTextInline[] {
  if (typeof piece !== 'string') return [piece]
  return piece
    .split(/(\{\{[^{}]*\}\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{{') ? { type: 'value', attrs: { code: part } } : createText(part)))
}

const createParagraph = (pieces: readonly ParagraphPiece[]) => ({
  type: 'paragraph' as const,
  content: pieces.flatMap(createInline),
})

/** Formatted text of paragraphs, each a list of pieces. */
export function createRichText(...paragraphs: (string | readonly ParagraphPiece[])[]): RichTextDocument {
  return {
    type: 'doc',
    content: paragraphs.map((richParagraph) =>
      createParagraph(typeof richParagraph === 'string' ? [richParagraph] : richParagraph),
    ),
  }
}

/** Formatted text of lines that belong together: one paragraph. */
export function joinRichTextLines(...richLines: (string | readonly ParagraphPiece[])[]): RichTextDocument {
  const content = richLines.flatMap((richLine, index): RichTextInline[] => [
    ...(index > 0 ? [{ type: 'hardBreak' as const }] : []),
    ...(typeof richLine === 'string' ? [richLine] : richLine).flatMap(createInline),
  ])
  return { type: 'doc', content: [{ type: 'paragraph', content }] }
}

/** The same text, its paragraphs in the middle. */
export function centreRichText({ content }: RichTextDocument): RichTextDocument {
  return {
    type: 'doc',
    content: content.map((node) =>
      node.type === 'paragraph' ? { ...node, attrs: { align: 'center' as const } } : node,
    ),
  }
}

/** A list of lines. */
export function createBulletList(...lines: (string | readonly ParagraphPiece[])[]): RichTextDocument {
  const items = lines.map((listEntry) => ({
    type: 'listItem' as const,
    content: [createParagraph(typeof listEntry === 'string' ? [listEntry] : listEntry)],
  }))
  return { type: 'doc', content: [{ type: 'bulletList', content: items }] }
}

type BlockOptions<Type extends PlainDesignBlock['type']> = Partial<
  Omit<Extract<PlainDesignBlock, { type: Type }>, 'type'>
>

/** Blocks by their words. */
export const libraryBlocks = {
  heading: (words: string, options: BlockOptions<'heading'> = {}): PlainDesignBlock => ({
    type: 'heading',
    text: words,
    ...options,
  }),
  text: (words: RichTextDocument | string, options: BlockOptions<'text'> = {}): PlainDesignBlock => ({
    type: 'text',
    text: typeof words === 'string' ? createRichText(words) : words,
    ...options,
  }),
  button: (words: string, href: string, options: BlockOptions<'button'> = {}): PlainDesignBlock => ({
    type: 'button',
    text: words,
    href,
    ...options,
  }),
  space: (height: number): PlainDesignBlock => ({ type: 'spacer', height }),
  divider: (): PlainDesignBlock => ({ type: 'divider' }),
}

/** A row of one column. */
export function createSingleColumnRow(
  blocks: DesignContentBlock[],
  options: Partial<Omit<DesignRow, 'columns' | 'blocks'>> = {},
): DesignRow {
  return { columns: [100], blocks: [blocks], ...options }
}

/** Columns of one width each, within a row. */
export function createEqualColumns(...blocks: PlainDesignBlock[][]): DesignContentBlock {
  return { type: 'columns', columns: blocks.map(() => Math.floor(100 / blocks.length)), blocks }
}

/** The name of the shop above a message. */
export function createShopHeader(): DesignRow {
  return createSingleColumnRow([{ type: 'header', name: '{{ account.name }}', href: 'https://shop.example/' }], {
    background: 'none',
  })
}

const SAMPLE_ADDRESS = 'Example Shop, 1 Example Street, 69001 Lyon, France'

/** The end of a marketing message: why it came, the address, the ways out. */
export function createMarketingFooter(translate: TranslateText): DesignRow {
  return createSingleColumnRow(
    [
      {
        type: 'footer',
        text: createRichText(
          translate(
            'You receive this because you subscribed to our news.',
            'Vous recevez ce message parce que vous avez demandé à recevoir nos nouvelles.',
          ),
        ),
        address: SAMPLE_ADDRESS,
        unsubscribe: translate('Unsubscribe', 'Se désabonner'),
        online: translate('Read in the browser', 'Lire dans le navigateur'),
      },
    ],
    { background: 'none' },
  )
}

/** The end of a service message: whom to ask. */
export function createServiceFooter(translate: TranslateText): DesignRow {
  return createSingleColumnRow(
    [
      {
        type: 'footer',
        text: createRichText([
          translate('A question? Write to ', 'Une question ? Écrivez à '),
          linkText('help@shop.example', 'mailto:help@shop.example'),
          translate('; a person answers.', ' ; une personne vous répond.'),
        ]),
        address: SAMPLE_ADDRESS,
        unsubscribe: '',
      },
    ],
    { background: 'none' },
  )
}
