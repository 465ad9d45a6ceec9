import {
  boldText,
  createEqualColumns,
  createLibraryTheme,
  createServiceFooter,
  createShopHeader,
  createSingleColumnRow,
  joinRichTextLines,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const shippingDesign: LibraryEntry = {
  id: 'shipping',
  category: 'service',
  name: { en: 'On its way', fr: 'Expédition' },
  description: {
    en: 'When the parcel comes, who brings it, where to follow it. Reads data.parcel.',
    fr: 'Quand arrive le colis, qui l’apporte, où le suivre. Lit data.parcel.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('On its way', 'Votre colis est parti'),
    preheader: t(
      'Expected on {{ data.parcel.date | date: "long" }}.',
      'Attendu le {{ data.parcel.date | date: "long" }}.',
    ),
    theme: createLibraryTheme(libraryPalettes.teal),
    rows: [
      createShopHeader(),
      createSingleColumnRow(
        [
          libraryBlocks.space(8),
          libraryBlocks.text(t('Expected on', 'Attendu le'), { size: 14, padding: { top: 10, bottom: 0 } }),
          libraryBlocks.heading('{{ data.parcel.date | date: "long" }}', { padding: { top: 2, bottom: 10 } }),
          libraryBlocks.button(t('Follow the parcel', 'Suivre le colis'), '{{ data.parcel.url }}'),
          libraryBlocks.space(8),
        ],
        { background: 'accent' },
      ),
      createSingleColumnRow([
        createEqualColumns(
          [
            libraryBlocks.text(
              joinRichTextLines([boldText(t('Carrier', 'Transporteur'))], '{{ data.parcel.carrier }}'),
            ),
          ],
          [
            libraryBlocks.text(
              joinRichTextLines([boldText(t('Tracking number', 'Numéro de suivi'))], '{{ data.parcel.number }}'),
            ),
          ],
        ),
        libraryBlocks.text(
          t(
            'Nobody at home? The parcel waits for ten days at the shop nearest to you.',
            'Personne à la maison ? Le colis attend dix jours au point relais le plus proche.',
          ),
          { tone: 'muted' },
        ),
      ]),
      createServiceFooter(t),
    ],
  }),
}
