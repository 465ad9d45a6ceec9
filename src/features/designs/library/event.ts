import {
  boldText,
  createBulletList,
  createEqualColumns,
  createLibraryTheme,
  createMarketingFooter,
  createShopHeader,
  createSingleColumnRow,
  joinRichTextLines,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const eventDesign: LibraryEntry = {
  id: 'event',
  category: 'marketing',
  name: { en: 'Event', fr: 'Invitation' },
  description: {
    en: 'When, where, who speaks, and a place to reserve.',
    fr: 'Quand, où, qui intervient, et une place à réserver.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('You are invited', 'Invitation à l’atelier'),
    preheader: t('An evening in the workshop, 12 June.', 'Une soirée à l’atelier, le 12 juin.'),
    theme: createLibraryTheme(libraryPalettes.plum, { heading: 'serif', body: 'sans' }),
    rows: [
      createShopHeader(),
      createSingleColumnRow(
        [
          libraryBlocks.space(24),
          libraryBlocks.text(t('Invitation', 'Invitation'), { size: 14, padding: { top: 0, bottom: 0 } }),
          libraryBlocks.heading(t('An evening among makers', 'Une soirée entre artisans')),
          libraryBlocks.text(
            t(
              'Three talks, one long table, and the machines running.',
              'Trois interventions, une grande table, et les machines en marche.',
            ),
            { size: 18 },
          ),
          libraryBlocks.space(24),
        ],
        { background: 'accent' },
      ),
      createSingleColumnRow([
        createEqualColumns(
          [
            libraryBlocks.text(
              joinRichTextLines(
                [boldText(t('When', 'Quand'))],
                t('Thursday 12 June', 'Jeudi 12 juin'),
                t('6.30 to 10 pm', 'de 18 h 30 à 22 h'),
              ),
            ),
          ],
          [
            libraryBlocks.text(
              joinRichTextLines([boldText(t('Where', 'Où'))], t('1 Example Street', '1 rue de l’Exemple'), 'Lyon'),
            ),
          ],
        ),
        libraryBlocks.divider(),
        libraryBlocks.heading(t('On the programme', 'Au programme'), { level: 2 }),
        libraryBlocks.text(
          createBulletList(
            [boldText(t('7 pm', '19 h')), t(' · Brass, from ore to lamp', ' · Le laiton, du minerai à la lampe')],
            [boldText(t('8 pm', '20 h')), t(' · What repairing teaches', ' · Ce que réparer nous apprend')],
            [boldText(t('9 pm', '21 h')), t(' · Dinner, all together', ' · Dîner, tous ensemble')],
          ),
        ),
        libraryBlocks.button(
          t('Keep me a seat', 'Réserver ma place'),
          'https://shop.example/evening?c={{ contact.id }}',
        ),
        libraryBlocks.text(t('40 seats; the evening is free.', '40 places ; la soirée est gratuite.'), {
          tone: 'muted',
          size: 14,
        }),
      ]),
      createMarketingFooter(t),
    ],
  }),
}
