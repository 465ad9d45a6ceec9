import { type Static, Type } from 'typebox'
import { bytesSchema } from '../../../http/openapi/media.ts'
import { ImportFeatureBody } from '../definitions/feature-schemas.ts'

/** Services whose exports are recognised by their headings. */
export const vendorNames = ['mailchimp', 'brevo', 'sendgrid', 'mailjet', 'hubspot'] as const
export type VendorName = (typeof vendorNames)[number]

const CellText = Type.String({ description: 'the text of the cell' })
const buildNumberSchema = (mark: string) => Type.Number({ description: `its value if the decimal mark is the ${mark}` })
const DateInUnit = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'null: no date' })

/** The query of a preview. */
export const ImportPreviewQuery = Type.Object({
  encoding: Type.Optional(
    Type.String({
      maxLength: 50,
      description:
        'the name of a character set, such as windows-1250, windows-1251, windows-1252, iso-8859-15 or macroman, or auto; default that of the import, else auto',
    }),
  ),
  sheet: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'the name of a sheet of a workbook, in any case; default that of the import, else the first one',
    }),
  ),
})
export type ImportPreviewQuery = Static<typeof ImportPreviewQuery>

/** Preview of a file, and the definition that would import it. */
export const ImportPreviewResult = Type.Object({
  files: Type.Array(Type.String(), {
    description: 'texts of the file in the order they are read: more than one of archives',
  }),
  encoding: Type.String({ description: 'of the first text' }),
  samples: Type.Array(Type.String(), {
    description:
      'up to 10 cells of the first text with characters beyond ASCII, as this encoding reads them; cut to 100 characters',
  }),
  sheet: Type.Union([Type.String(), Type.Null()], {
    description: 'of the first text, where it is a workbook: the sheet that is read; else null',
  }),
  sheets: Type.Array(Type.String(), {
    description: 'of the first text, where it is a workbook: its sheets that are not hidden, at most 1000; else none',
  }),
  separator: Type.Integer({ description: 'character code, of the first text' }),
  columns: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'from 0' }),
      heading: Type.Union([Type.String(), Type.Null()], { description: 'what its first line says; null: nothing' }),
      field: Type.Union([Type.Integer(), Type.Null()], { description: 'the field it seems to fill' }),
      numbers: Type.Optional(
        Type.Array(
          Type.Object({ cell: CellText, comma: buildNumberSchema('comma'), point: buildNumberSchema('point') }),
          {
            description:
              'present if no cell shows the decimal mark: up to 3 cells, with their value for each mark. For a field of numbers choose its decimalMark',
          },
        ),
      ),
      dates: Type.Optional(
        Type.Array(Type.Object({ cell: CellText, seconds: DateInUnit, milliseconds: DateInUnit, serial: DateInUnit }), {
          description:
            'present if bare numbers could mean several dates: up to 3 cells, with their date in each unit. For a field of dates choose its dateUnit',
        }),
      ),
    }),
    { description: 'of the first text' },
  ),
  lines: Type.Array(Type.Array(Type.String()), { description: 'the first 20 data lines of the first text' }),
  vendor: Type.Union([Type.Enum(vendorNames), Type.Null()], { description: 'whose export the file seems to be' }),
  mapping: Type.Object(
    {
      binding: Type.Null({ description: 'no import format' }),
      features: Type.Array(ImportFeatureBody, { description: 'what an import does beside writing contacts' }),
    },
    { description: 'members of a definition, to be given to PUT as they are' },
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
/** Media types of an uploaded file. */
export const importUploadTypes = {
  'application/octet-stream': bytesSchema,
  'text/csv': Type.String(),
  'application/zip': bytesSchema,
  'multipart/form-data': { type: 'object' },
}
