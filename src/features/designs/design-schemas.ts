import { type Static, Type } from 'typebox'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { RichTextDocument } from './rich-text-schemas.ts'

export const DESIGN_BLOCK_LIMIT = 1_000
const MAX_ROW_COLUMNS = 4

const ColourSchema = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Colour as `#rrggbb`.' })
const ShortTextSchema = Type.String({ maxLength: 1_000, description: 'Text, which may contain Liquid.' })
const AddressSchema = Type.String({
  maxLength: 8_000,
  description:
    'Target of the link: a URL (http or https), `mailto:`, `tel:`, Liquid, `Unsubscribe` or `MirrorPage`. Empty: none.',
})
const AlignSchema = Type.Enum(['left', 'center', 'right'], {
  description: 'Horizontal alignment. Default: `center` for images, otherwise `left`.',
})
const buildPixelsSchema = (maximum: number) => Type.Integer({ minimum: 0, maximum })
const toOptional = Type.Optional

/** Members that every block may have. `id` belongs to the editor, and has no meaning here. */
const commonBlockMembers = {
  id: toOptional(Type.String({ maxLength: 64, description: 'ID for the editor; ignored by the service.' })),
  padding: toOptional(
    Type.Object(
      {
        top: toOptional({ ...buildPixelsSchema(200), description: 'Pixels above. Default: 10.' }),
        bottom: toOptional({ ...buildPixelsSchema(200), description: 'Pixels below. Default: 10.' }),
      },
      { description: 'Space above and below the block, in pixels.' },
    ),
  ),
}

const TextSchema = Type.Object({
  type: buildTypeTag('text'),
  ...commonBlockMembers,
  text: RichTextDocument,
  size: toOptional(Type.Integer({ minimum: 10, maximum: 40, description: 'Font size in pixels. Default: 16.' })),
  tone: toOptional(
    Type.Enum(['normal', 'muted'], {
      description: '`normal`: in the text colour. `muted`: in the muted colour. Default: `normal`.',
    }),
  ),
})
const HeadingSchema = Type.Object({
  type: buildTypeTag('heading'),
  ...commonBlockMembers,
  text: { ...ShortTextSchema, description: 'Text of the heading, which may contain Liquid.' },
  level: toOptional(
    Type.Integer({ minimum: 1, maximum: 3, description: 'Level of the heading; 1 is the largest. Default: 1.' }),
  ),
  align: toOptional(AlignSchema),
})
const ImageSchema = Type.Object({
  type: buildTypeTag('image'),
  ...commonBlockMembers,
  src: { ...AddressSchema, description: 'URL of the image, which may contain Liquid.' },
  alt: { ...ShortTextSchema, description: 'Alternative text, which may contain Liquid.' },
  isDecoration: toOptional(
    Type.Boolean({ description: 'True: the image is decorative and needs no alternative text. Default: false.' }),
  ),
  href: toOptional(AddressSchema),
  width: toOptional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Width in pixels. Absent: the width of the column.' }),
  ),
  align: toOptional(AlignSchema),
  radius: toOptional({
    ...buildPixelsSchema(500),
    description: 'Radius of the corners, in pixels. Absent: square corners.',
  }),
})
const ButtonSchema = Type.Object({
  type: buildTypeTag('button'),
  ...commonBlockMembers,
  text: { ...ShortTextSchema, description: 'Text of the button, which may contain Liquid.' },
  href: AddressSchema,
  align: toOptional(AlignSchema),
  kind: toOptional(Type.Enum(['filled', 'outlined'], { description: 'Style of the button. Default: `filled`.' })),
  isWide: toOptional(Type.Boolean({ description: 'True: as wide as the column. Default: false.' })),
})
const DividerSchema = Type.Object({
  type: buildTypeTag('divider'),
  ...commonBlockMembers,
})
const SpacerSchema = Type.Object({
  type: buildTypeTag('spacer'),
  ...commonBlockMembers,
  height: { ...buildPixelsSchema(400), description: 'Height in pixels.' },
})
const HeaderSchema = Type.Object({
  type: buildTypeTag('header'),
  ...commonBlockMembers,
  name: { ...ShortTextSchema, description: 'Name of the sender, which may contain Liquid.' },
  logo: toOptional(
    nullableSchema(
      Type.Object(
        {
          src: { ...AddressSchema, description: 'URL of the logo, which may contain Liquid.' },
          alt: { ...ShortTextSchema, description: 'Alternative text, which may contain Liquid.' },
          width: Type.Integer({ minimum: 1, maximum: 600, description: 'Width in pixels.' }),
        },
        { description: 'Logo displayed instead of the name. Null: none.' },
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
  address: Type.String({ maxLength: 1_000, description: 'Postal address of the sender.' }),
  unsubscribe: Type.String({ maxLength: 200, description: 'Text of the unsubscribe link. Empty: no link.' }),
  online: toOptional(
    Type.String({ maxLength: 200, description: 'Text of the link to the mirror page. Empty: no link.' }),
  ),
})
const SocialSchema = Type.Object({
  type: buildTypeTag('social'),
  ...commonBlockMembers,
  links: Type.Array(
    Type.Object({
      name: Type.String({
        minLength: 1,
        maxLength: 60,
        description: 'Name of the network, displayed as the text of the link.',
      }),
      href: AddressSchema,
    }),
    {
      maxItems: 12,
      description: 'Links to profiles, at most 12.',
    },
  ),
  align: toOptional(AlignSchema),
})
const BlockRepeat = Type.Object(
  {
    over: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Path of the list in Liquid, without braces, such as `data.products`.',
    }),
    as: Type.String({
      pattern: '^[a-z_][a-z0-9_]{0,39}$',
      description: 'Name of an item of the list in the templates.',
    }),
    limit: toOptional(Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of items. Absent: all.' })),
  },
  { description: 'Repetition for each item of a list. Absent: displayed once.' },
)
export type BlockRepeat = Static<typeof BlockRepeat>

const ProductSchema = Type.Object({
  type: buildTypeTag('product'),
  ...commonBlockMembers,
  repeat: toOptional(BlockRepeat),
  image: toOptional({ ...AddressSchema, description: 'URL of the image, which may contain Liquid. Absent: none.' }),
  alt: toOptional({ ...ShortTextSchema, description: 'Alternative text, which may contain Liquid.' }),
  title: { ...ShortTextSchema, description: 'Name of the product, which may contain Liquid.' },
  text: toOptional({ ...ShortTextSchema, description: 'Description of the product, which may contain Liquid.' }),
  price: toOptional({ ...ShortTextSchema, description: 'Price, which may contain Liquid.' }),
  button: toOptional({ ...ShortTextSchema, description: 'Text of the button, which may contain Liquid.' }),
  href: toOptional(AddressSchema),
})
const HtmlSchema = Type.Object({
  type: buildTypeTag('html'),
  ...commonBlockMembers,
  html: Type.String({ maxLength: 200_000, description: 'HTML of the block, inserted as is.' }),
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
  description: 'Widths of the columns in percent, 100 in total.',
})

const DesignColumnsBlock = Type.Object({
  type: buildTypeTag('columns'),
  id: commonBlockMembers.id,
  columns: ColumnWidthsSchema,
  blocks: Type.Array(Type.Array(PlainDesignBlock), {
    description: 'Blocks of each column, in the order of `columns`.',
    maxItems: MAX_ROW_COLUMNS,
  }),
})
export type DesignColumnsBlock = Static<typeof DesignColumnsBlock>
export type DesignContentBlock = PlainDesignBlock | DesignColumnsBlock

const DesignRow = Type.Object({
  id: commonBlockMembers.id,
  columns: ColumnWidthsSchema,
  blocks: Type.Array(
    Type.Array(Type.Unsafe<DesignContentBlock>(buildTaggedUnion([...PLAIN_BLOCK_SCHEMAS, DesignColumnsBlock]))),
    {
      description:
        'Blocks of each column, in the order of `columns`. `columns` blocks are allowed in rows of a single column only.',
      maxItems: MAX_ROW_COLUMNS,
    },
  ),
  background: toOptional(
    Type.Enum(['surface', 'tinted', 'accent', 'none'], {
      description: 'Theme colour behind the row. `none`: the background of the message. Default: `surface`.',
    }),
  ),
  condition: toOptional(
    Type.String({
      maxLength: 2_000,
      description:
        'Condition in Liquid, as between `{% if` and `%}`: the row is displayed if it is true. Absent: always.',
    }),
  ),
  repeat: toOptional(BlockRepeat),
})
export type DesignRow = Static<typeof DesignRow>

const ThemeColours = Type.Object(
  {
    background: { ...ColourSchema, description: 'Background colour of the message, as `#rrggbb`.' },
    surface: { ...ColourSchema, description: 'Background colour of rows, as `#rrggbb`.' },
    tinted: { ...ColourSchema, description: 'Background colour of tinted rows, as `#rrggbb`.' },
    text: { ...ColourSchema, description: 'Colour of text, as `#rrggbb`.' },
    muted: { ...ColourSchema, description: 'Colour of muted text, as `#rrggbb`.' },
    accent: { ...ColourSchema, description: 'Colour of buttons, links and accented rows, as `#rrggbb`.' },
    onAccent: { ...ColourSchema, description: 'Colour of text on the accent colour, as `#rrggbb`.' },
    line: { ...ColourSchema, description: 'Colour of lines and borders, as `#rrggbb`.' },
  },
  { description: 'Colours of the message.' },
)
export type ThemeColours = Static<typeof ThemeColours>

const FontSchema = Type.Enum(['sans', 'serif', 'rounded', 'mono'], { description: 'Font family.' })

const DesignTheme = Type.Object({
  width: Type.Integer({ minimum: 320, maximum: 800, description: 'Width of the message in pixels.' }),
  colours: ThemeColours,
  fonts: Type.Object(
    {
      heading: { ...FontSchema, description: 'Font family of headings.' },
      body: { ...FontSchema, description: 'Font family of other text.' },
    },
    { description: 'Font families of headings and of other text.' },
  ),
  dark: nullableSchema({ ...ThemeColours, description: 'Colours in dark mode. Null: no dark mode.' }),
  radius: toOptional({
    ...buildPixelsSchema(40),
    description: 'Radius of the corners of buttons and links, in pixels. Default: 6.',
  }),
})
export type DesignTheme = Static<typeof DesignTheme>

/** A message as rows of blocks, from which its HTML is made. */
export const DesignDocument = Type.Object(
  {
    version: Type.Literal(1, { description: 'Version of the format.' }),
    language: toOptional(
      Type.String({
        pattern: '^[a-z]{2}(-[A-Z]{2})?$',
        description: 'Language of the text, as a BCP 47 tag such as `fr` or `pt-BR`.',
      }),
    ),
    title: toOptional({ ...ShortTextSchema, description: 'Title of the HTML page, which may contain Liquid.' }),
    preheader: toOptional(
      Type.String({ maxLength: 300, description: 'Preview text that mail programs display after the subject.' }),
    ),
    theme: { ...DesignTheme, description: 'Colours, fonts and width.' },
    rows: Type.Array(DesignRow, { maxItems: DESIGN_BLOCK_LIMIT, description: 'Rows, from top to bottom.' }),
  },
  {
    title: 'Design',
    description: 'Message as rows of blocks, from which the HTML of an email is generated; at most 1 MiB.',
  },
)
export type DesignDocument = Static<typeof DesignDocument>

/**
 * A design within a body or an answer: any object here, as what is in it is checked by the thread that compiles it. The
 * reference shows all of it.
 */
export const DesignJson = Type.Unsafe<DesignDocument>({
  type: 'object',
  additionalProperties: true,
  description: 'Design of the message; at most 1 MiB.',
  [COMPONENT_REF_KEYWORD]: 'Design',
})
