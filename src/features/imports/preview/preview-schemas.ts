import { type Static, Type } from 'typebox'
import { bytesSchema } from '../../../http/openapi/media.ts'
import { ImportFeatureBody } from '../definitions/feature-schemas.ts'

/** Services whose exports are recognised by their headings. */
export const vendorNames = ['mailchimp', 'brevo', 'sendgrid', 'mailjet', 'hubspot'] as const
export type VendorName = (typeof vendorNames)[number]

const CellText = Type.String({ description: 'Text of the cell.' })
const buildNumberSchema = (mark: string) =>
  Type.Number({ description: `Value of the cell if the decimal mark is the ${mark}.` })
const DateInUnit = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'Date of the cell in this unit. Null: not a date, or most cells are no plausible dates in this unit.',
})

/** The query of a preview. */
export const ImportPreviewQuery = Type.Object({
  encoding: Type.Optional(
    Type.String({
      maxLength: 50,
      description:
        'Name of the character encoding, such as `windows-1250`, `windows-1251`, `windows-1252`, ' +
        '`iso-8859-15` or `macroman`, or `auto`. Default: that of the import, else `auto`.',
    }),
  ),
  sheet: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Name of the workbook sheet to read, in any case. Default: that of the import, else the first ' +
        'sheet that is not hidden.',
    }),
  ),
})
export type ImportPreviewQuery = Static<typeof ImportPreviewQuery>

/** Preview of a file, and the definition that would import it. */
export const ImportPreviewResult = Type.Object({
  files: Type.Array(Type.String(), {
    description: 'Names of the files in the order in which they are read; an archive can hold several.',
  }),
  encoding: Type.String({ description: 'Character encoding of the first file.' }),
  samples: Type.Array(Type.String(), {
    description:
      'Up to 10 cells of the first file that contain non-ASCII characters, as this encoding reads them; ' +
      'cut to 100 characters.',
  }),
  sheet: Type.Union([Type.String(), Type.Null()], {
    description: 'Sheet that is read, if the first file is a workbook. Null: not a workbook.',
  }),
  sheets: Type.Array(Type.String(), {
    description: 'Sheets that are not hidden, at most 1,000, if the first file is a workbook; otherwise empty.',
  }),
  separator: Type.Integer({ description: 'Character code of the separator in the first file.' }),
  columns: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Position of the column, from 0.' }),
      heading: Type.Union([Type.String(), Type.Null()], { description: 'Heading in the first line. Null: none.' }),
      field: Type.Union([Type.Integer(), Type.Null()], {
        description: 'ID of the field that the column seems to fill. Null: none.',
      }),
      numbers: Type.Optional(
        Type.Array(
          Type.Object({ cell: CellText, comma: buildNumberSchema('comma'), point: buildNumberSchema('point') }),
          {
            description:
              'Up to 3 cells with their value for each decimal mark; present if no cell shows which mark is ' +
              'used. For a numeric field, choose a `decimalMark`.',
          },
        ),
      ),
      dates: Type.Optional(
        Type.Array(Type.Object({ cell: CellText, seconds: DateInUnit, milliseconds: DateInUnit, serial: DateInUnit }), {
          description:
            'Up to 3 cells with their date in each unit; present if most cells are plain numbers that are ' +
            'plausible dates in a unit. ' +
            'For a date field, choose a `dateUnit`.',
        }),
      ),
    }),
    { description: 'Columns of the first file.' },
  ),
  lines: Type.Array(Type.Array(Type.String()), { description: 'The first 20 data lines of the first file.' }),
  vendor: Type.Union([Type.Enum(vendorNames), Type.Null()], {
    description: 'Service whose export the file seems to be. Null: none is recognised.',
  }),
  mapping: Type.Object(
    {
      binding: Type.Null({ description: 'Always null: no import format is used.' }),
      features: Type.Array(ImportFeatureBody, { description: 'Features that would import the file.' }),
    },
    { description: 'Definition that would import the file; can be sent in an update of an import as it is.' },
  ),
})
export type ImportPreviewResult = Static<typeof ImportPreviewResult>

/** Problem types of the operations that read an uploaded file by status. */
export const importUploadRefusals = {
  400:
    'archive-broken archive-encrypted archive-without-text unpacked-too-large upload-broken workbook-broken ' +
    'workbook-encrypted workbook-unread',
  413: 'file-too-large',
  503: 'disk-full storage-away',
}
/** A form of which one part is the file. */
export const importFormSchema = Type.Object(
  {
    file: Type.String({
      contentMediaType: 'application/octet-stream',
      description: 'The file; the part may have any name.',
    }),
  },
  { title: 'ImportFileForm' },
)

/** Media types of an uploaded file. */
export const importUploadTypes = {
  'application/octet-stream': bytesSchema,
  'text/csv': Type.String(),
  'application/zip': bytesSchema,
  'multipart/form-data': importFormSchema,
}
