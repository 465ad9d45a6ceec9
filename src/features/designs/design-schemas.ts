import { type Static, Type } from 'typebox'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { RichTextDocument } from './rich-text-schemas.ts'

export const DESIGN_BLOCK_LIMIT = 1_000
const MAX_ROW_COLUMNS = 4

const ColourSchema = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: '#1d5f5a' })
const ShortTextSchema = Type.String({ maxLength: 1_000, description: 'may hold Liquid' })
const AddressSchema = Type.String({
  maxLength: 8_000,
  description: 'http(s), mailto:, tel:, Liquid, `Unsubscribe` or `MirrorPage`; empty: none',
})
const AlignSchema = Type.Enum(['left', 'center', 'right'], { description: 'to which side it is set' })
const buildPixelsSchema = (maximum: number) => Type.Integer({ minimum: 0, maximum })
const toOptional = Type.Optional

/** Members that every block may have. `id` belongs to the editor, and has no meaning here. */
const commonBlockMembers = {
  id: toOptional(Type.String({ maxLength: 64, description: 'what names it in this account' })),
  padding: toOptional(
    Type.Object(
      {
        top: toOptional({ ...buildPixelsSchema(200), description: 'pixels above' }),
        bottom: toOptional({ ...buildPixelsSchema(200), description: 'pixels below' }),
      },
      { description: 'pixels; default 10' },
    ),
  ),
}

const TextSchema = Type.Object({
  type: buildTypeTag('text'),
  ...commonBlockMembers,
  text: RichTextDocument,
  size: toOptional(Type.Integer({ minimum: 10, maximum: 40, description: 'how large it is' })),
  tone: toOptional(Type.Enum(['normal', 'muted'], { description: 'muted: in the colour of that name' })),
})
const HeadingSchema = Type.Object({
  type: buildTypeTag('heading'),
  ...commonBlockMembers,
  text: ShortTextSchema,
  level: toOptional(Type.Integer({ minimum: 1, maximum: 3, description: '1 for the largest, to 3' })),
  align: toOptional(AlignSchema),
})
const ImageSchema = Type.Object({
  type: buildTypeTag('image'),
  ...commonBlockMembers,
  src: AddressSchema,
  alt: ShortTextSchema,
  isDecoration: toOptional(Type.Boolean({ description: 'true: it says nothing, and needs no text' })),
  href: toOptional(AddressSchema),
  width: toOptional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'pixels; absent: that of its column' })),
  align: toOptional(AlignSchema),
  radius: toOptional({ ...buildPixelsSchema(500), description: 'of its corners, in pixels' }),
})
const ButtonSchema = Type.Object({
  type: buildTypeTag('button'),
  ...commonBlockMembers,
  text: ShortTextSchema,
  href: AddressSchema,
  align: toOptional(AlignSchema),
  kind: toOptional(Type.Enum(['filled', 'outlined'], { description: 'what kind of thing it is' })),
  isWide: toOptional(Type.Boolean({ description: 'true: as wide as its column' })),
})
const DividerSchema = Type.Object({
  type: buildTypeTag('divider'),
  ...commonBlockMembers,
})
const SpacerSchema = Type.Object({
  type: buildTypeTag('spacer'),
  ...commonBlockMembers,
  height: { ...buildPixelsSchema(400), description: 'height in pixels' },
})
const HeaderSchema = Type.Object({
  type: buildTypeTag('header'),
  ...commonBlockMembers,
  name: ShortTextSchema,
  logo: toOptional(
    nullableSchema(
      Type.Object(
        {
          src: AddressSchema,
          alt: ShortTextSchema,
          width: Type.Integer({ minimum: 1, maximum: 600, description: 'width in pixels' }),
        },
        { description: 'a picture in place of the name; null: none' },
      ),
    ),
  ),
  href: toOptional(AddressSchema),
  align: toOptional(AlignSchema),
})
const FooterSchema = Type.Object({
  type: buildTypeTag('footer'),
  ...commonBlockMembers,
  text: toOptional(RichTextDocument),
  address: Type.String({ maxLength: 1_000, description: 'the postal address of the sender' }),
  unsubscribe: Type.String({ maxLength: 200, description: 'words of the link; empty: no link' }),
  online: toOptional(Type.String({ maxLength: 200, description: 'words of the link to the web page; empty: no link' })),
})
const SocialSchema = Type.Object({
  type: buildTypeTag('social'),
  ...commonBlockMembers,
  links: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 60, description: 'the name that people give it' }),
      href: AddressSchema,
    }),
    {
      maxItems: 12,
      description: 'what uses it',
    },
  ),
  align: toOptional(AlignSchema),
})
const BlockRepeat = Type.Object(
  {
    over: Type.String({ minLength: 1, maxLength: 500, description: 'Liquid: data.products' }),
    as: Type.String({ pattern: '^[a-z_][a-z0-9_]{0,39}$', description: 'what one of them is called' }),
    limit: toOptional(Type.Integer({ minimum: 1, maximum: 100, description: 'the most that there may be' })),
  },
  { description: 'what it is repeated for' },
)
export type BlockRepeat = Static<typeof BlockRepeat>

const ProductSchema = Type.Object({
  type: buildTypeTag('product'),
  ...commonBlockMembers,
  repeat: toOptional(BlockRepeat),
  image: toOptional(AddressSchema),
  alt: toOptional(ShortTextSchema),
  title: ShortTextSchema,
  text: toOptional(ShortTextSchema),
  price: toOptional(ShortTextSchema),
  button: toOptional(ShortTextSchema),
  href: toOptional(AddressSchema),
})
const HtmlSchema = Type.Object({
  type: buildTypeTag('html'),
  ...commonBlockMembers,
  html: Type.String({ maxLength: 200_000, description: 'the text in HTML' }),
})

const PLAIN_BLOCK_SCHEMAS = [
  TextSchema,
  HeadingSchema,
  ImageSchema,
  ButtonSchema,
  DividerSchema,
  SpacerSchema,
  HeaderSchema,
  FooterSchema,
  SocialSchema,
  ProductSchema,
  HtmlSchema,
] as const
const PlainDesignBlock = buildTaggedUnion([...PLAIN_BLOCK_SCHEMAS])
export type PlainDesignBlock = Static<(typeof PLAIN_BLOCK_SCHEMAS)[number]>

const ColumnWidthsSchema = Type.Array(Type.Integer({ minimum: 5, maximum: 100 }), {
  minItems: 1,
  maxItems: MAX_ROW_COLUMNS,
  description: 'percent; 100 together',
})

const DesignColumnsBlock = Type.Object({
  type: buildTypeTag('columns'),
  id: commonBlockMembers.id,
  columns: ColumnWidthsSchema,
  blocks: Type.Array(Type.Array(PlainDesignBlock), { description: 'those of each column', maxItems: MAX_ROW_COLUMNS }),
})
export type DesignColumnsBlock = Static<typeof DesignColumnsBlock>
export type DesignContentBlock = PlainDesignBlock | DesignColumnsBlock

const DesignRow = Type.Object({
  id: commonBlockMembers.id,
  columns: ColumnWidthsSchema,
  blocks: Type.Array(
    Type.Array(Type.Unsafe<DesignContentBlock>(buildTaggedUnion([...PLAIN_BLOCK_SCHEMAS, DesignColumnsBlock]))),
    {
      description: 'those of each column; `columns` in rows of one alone',
      maxItems: MAX_ROW_COLUMNS,
    },
  ),
  background: toOptional(
    Type.Enum(['surface', 'tinted', 'accent', 'none'], { description: 'a colour of the theme behind the row' }),
  ),
  condition: toOptional(Type.String({ maxLength: 2_000, description: 'Liquid between `{% if` and `%}`' })),
  repeat: toOptional(BlockRepeat),
})
export type DesignRow = Static<typeof DesignRow>

const ThemeColours = Type.Object(
  {
    background: ColourSchema,
    surface: ColourSchema,
    tinted: ColourSchema,
    text: ColourSchema,
    muted: ColourSchema,
    accent: ColourSchema,
    onAccent: ColourSchema,
    line: ColourSchema,
  },
  { description: 'colours by what they are for' },
)
export type ThemeColours = Static<typeof ThemeColours>

const FontSchema = Type.Enum(['sans', 'serif', 'rounded', 'mono'], { description: 'a family of fonts' })

const DesignTheme = Type.Object({
  width: Type.Integer({ minimum: 320, maximum: 800, description: 'width in pixels' }),
  colours: ThemeColours,
  fonts: Type.Object(
    { heading: FontSchema, body: FontSchema },
    { description: 'families of fonts of headings and of other text' },
  ),
  dark: nullableSchema({ ...ThemeColours, description: 'colours in dark mode; null: none' }),
  radius: toOptional({ ...buildPixelsSchema(40), description: 'of corners, in pixels' }),
})
export type DesignTheme = Static<typeof DesignTheme>

/** A message as rows of blocks, from which its HTML is made. */
export const DesignDocument = Type.Object(
  {
    version: Type.Literal(1, { description: 'which version it is' }),
    language: toOptional(Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', description: 'of the text, BCP 47' })),
    title: toOptional(ShortTextSchema),
    preheader: toOptional(
      Type.String({ maxLength: 300, description: 'what lists of messages show after the subject' }),
    ),
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
