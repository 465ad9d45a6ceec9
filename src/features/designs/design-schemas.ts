import { type Static, Type } from 'typebox'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { buildTaggedUnion } from '../../lib/tagged.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { RichTextDocument } from './rich-text-schemas.ts'

export const DESIGN_BLOCK_LIMIT = 1_000
const MAX_COLUMNS = 4

const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: '#1d5f5a' })
const Short = Type.String({ maxLength: 1_000, description: 'may hold Liquid' })
const Address = Type.String({
  maxLength: 8_000,
  description: 'http(s), mailto:, tel:, Liquid, `Unsubscribe` or `MirrorPage`; empty: none',
})
const Align = Type.Enum(['left', 'center', 'right'], { description: 'to which side it is set' })
const Pixels = (maximum: number) => Type.Integer({ minimum: 0, maximum })
const optional = Type.Optional

/** What every block may have. `id` is the editor's, and means nothing here. */
const common = {
  id: optional(Type.String({ maxLength: 64 })),
  padding: optional(
    Type.Object({ top: optional(Pixels(200)), bottom: optional(Pixels(200)) }, { description: 'pixels; default 10' }),
  ),
}

const Text = Type.Object({
  type: Type.Literal('text'),
  ...common,
  text: RichTextDocument,
  size: optional(Type.Integer({ minimum: 10, maximum: 40 })),
  tone: optional(Type.Enum(['normal', 'muted'], { description: 'muted: in the colour of that name' })),
})
const Heading = Type.Object({
  type: Type.Literal('heading'),
  ...common,
  text: Short,
  level: optional(Type.Integer({ minimum: 1, maximum: 3, description: '1 for the largest, to 3' })),
  align: optional(Align),
})
const Image = Type.Object({
  type: Type.Literal('image'),
  ...common,
  src: Address,
  alt: Short,
  isDecoration: optional(Type.Boolean({ description: 'true: it says nothing, and needs no text' })),
  href: optional(Address),
  width: optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'pixels; absent: that of its column' })),
  align: optional(Align),
  radius: optional({ ...Pixels(500), description: 'of its corners, in pixels' }),
})
const Button = Type.Object({
  type: Type.Literal('button'),
  ...common,
  text: Short,
  href: Address,
  align: optional(Align),
  kind: optional(Type.Enum(['filled', 'outlined'])),
  isWide: optional(Type.Boolean({ description: 'true: as wide as its column' })),
})
const Divider = Type.Object({ type: Type.Literal('divider'), ...common })
const Spacer = Type.Object({ type: Type.Literal('spacer'), ...common, height: Pixels(400) })
const Header = Type.Object({
  type: Type.Literal('header'),
  ...common,
  name: Short,
  logo: optional(
    nullableSchema(
      Type.Object(
        { src: Address, alt: Short, width: Type.Integer({ minimum: 1, maximum: 600 }) },
        { description: 'a picture in place of the name; null: none' },
      ),
    ),
  ),
  href: optional(Address),
  align: optional(Align),
})
const Footer = Type.Object({
  type: Type.Literal('footer'),
  ...common,
  text: optional(RichTextDocument),
  address: Type.String({ maxLength: 1_000, description: 'the postal address of the sender' }),
  unsubscribe: Type.String({ maxLength: 200, description: 'words of the link; empty: no link' }),
  online: optional(Type.String({ maxLength: 200, description: 'words of the link to the web page; empty: no link' })),
})
const Social = Type.Object({
  type: Type.Literal('social'),
  ...common,
  links: Type.Array(Type.Object({ name: Type.String({ minLength: 1, maxLength: 60 }), href: Address }), {
    maxItems: 12,
  }),
  align: optional(Align),
})
const BlockRepeat = Type.Object({
  over: Type.String({ minLength: 1, maxLength: 500, description: 'Liquid: data.products' }),
  as: Type.String({ pattern: '^[a-z_][a-z0-9_]{0,39}$', description: 'what one of them is called' }),
  limit: optional(Type.Integer({ minimum: 1, maximum: 100 })),
})
export type BlockRepeat = Static<typeof BlockRepeat>

const Product = Type.Object({
  type: Type.Literal('product'),
  ...common,
  repeat: optional(BlockRepeat),
  image: optional(Address),
  alt: optional(Short),
  title: Short,
  text: optional(Short),
  price: optional(Short),
  button: optional(Short),
  href: optional(Address),
})
const Html = Type.Object({ type: Type.Literal('html'), ...common, html: Type.String({ maxLength: 200_000 }) })

const plain = [Text, Heading, Image, Button, Divider, Spacer, Header, Footer, Social, Product, Html] as const
const PlainDesignBlock = buildTaggedUnion([...plain])
export type PlainDesignBlock = Static<(typeof plain)[number]>

const Widths = Type.Array(Type.Integer({ minimum: 5, maximum: 100 }), {
  minItems: 1,
  maxItems: MAX_COLUMNS,
  description: 'percent; 100 together',
})

const DesignColumnsBlock = Type.Object({
  type: Type.Literal('columns'),
  id: common.id,
  columns: Widths,
  blocks: Type.Array(Type.Array(PlainDesignBlock), { description: 'those of each column', maxItems: MAX_COLUMNS }),
})
export type DesignColumnsBlock = Static<typeof DesignColumnsBlock>
export type DesignContentBlock = PlainDesignBlock | DesignColumnsBlock

const DesignRow = Type.Object({
  id: common.id,
  columns: Widths,
  blocks: Type.Array(Type.Array(Type.Unsafe<DesignContentBlock>(buildTaggedUnion([...plain, DesignColumnsBlock]))), {
    description: 'those of each column; `columns` in rows of one alone',
    maxItems: MAX_COLUMNS,
  }),
  background: optional(
    Type.Enum(['surface', 'tinted', 'accent', 'none'], { description: 'a colour of the theme behind the row' }),
  ),
  condition: optional(Type.String({ maxLength: 2_000, description: 'Liquid between `{% if` and `%}`' })),
  repeat: optional(BlockRepeat),
})
export type DesignRow = Static<typeof DesignRow>

const ThemeColours = Type.Object(
  {
    background: Colour,
    surface: Colour,
    tinted: Colour,
    text: Colour,
    muted: Colour,
    accent: Colour,
    onAccent: Colour,
    line: Colour,
  },
  { description: 'colours by what they are for' },
)
export type ThemeColours = Static<typeof ThemeColours>

const Font = Type.Enum(['sans', 'serif', 'rounded', 'mono'], { description: 'a family of fonts' })

const DesignTheme = Type.Object({
  width: Type.Integer({ minimum: 320, maximum: 800 }),
  colours: ThemeColours,
  fonts: Type.Object({ heading: Font, body: Font }, { description: 'families of fonts of headings and of other text' }),
  dark: nullableSchema({ ...ThemeColours, description: 'colours in dark mode; null: none' }),
  radius: optional({ ...Pixels(40), description: 'of corners, in pixels' }),
})
export type DesignTheme = Static<typeof DesignTheme>

/** A message as rows of blocks, from which its HTML is made. */
export const DesignDocument = Type.Object(
  {
    version: Type.Literal(1),
    language: optional(Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', description: 'of the text, BCP 47' })),
    title: optional(Short),
    preheader: optional(Type.String({ maxLength: 300, description: 'what lists of messages show after the subject' })),
    theme: { ...DesignTheme, description: 'colours, fonts and width' },
    rows: Type.Array(DesignRow, { maxItems: DESIGN_BLOCK_LIMIT, description: 'from top to bottom' }),
  },
  { title: 'Design', description: 'rows of blocks that the HTML of a mail is made of; at most 1 MiB' },
)
export type DesignDocument = Static<typeof DesignDocument>

/**
 * A design within a body or an answer: any object here, as what is in it is checked by the thread that compiles it. The
 * reference shows all of it.
 */
export const DesignJson = Type.Unsafe<DesignDocument>({
  type: 'object',
  additionalProperties: true,
  description: 'at most 1 MiB',
  [COMPONENT_REF_KEYWORD]: 'Design',
})
