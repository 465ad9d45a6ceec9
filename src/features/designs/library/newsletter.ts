import {
  boldText,
  createEqualColumns,
  createLibraryTheme,
  createMarketingFooter,
  createRichText,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const newsletterDesign: LibraryEntry = {
  id: 'newsletter',
  category: 'marketing',
  name: { en: 'Newsletter', fr: 'Lettre d’information' },
  description: {
    en: 'One story at length, two in brief, and what comes next.',
    fr: 'Un sujet développé, deux en bref, et ce qui vient ensuite.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('Our news', 'Nos nouvelles'),
    preheader: t('What we made this month, and why.', 'Ce que nous avons fait ce mois-ci, et pourquoi.'),
    theme: createLibraryTheme(libraryPalettes.teal, { heading: 'serif', body: 'sans' }),
    rows: [
      createShopHeader(),
      createSingleColumnRow(
        [
          libraryBlocks.text(t('Issue 12 · Spring', 'Numéro 12 · Printemps'), {
            size: 14,
            padding: { top: 22, bottom: 0 },
          }),
          libraryBlocks.heading(t('The workshop opens its doors', 'L’atelier ouvre ses portes')),
          libraryBlocks.text(
            t(
              'For ten years we made everything behind a closed door. From May on, it stands open on Saturdays.',
              'Pendant dix ans, nous avons tout fabriqué derrière une porte close. À partir de mai, elle s’ouvre le samedi.',
            ),
            { size: 18 },
          ),
          libraryBlocks.button(t('Read the story', 'Lire l’article'), 'https://shop.example/news/workshop', {
            padding: { top: 10, bottom: 24 },
          }),
        ],
        { background: 'accent' },
      ),
      createSingleColumnRow([
        libraryBlocks.text(
          createRichText([
            t(
              'Dear {{ contact.Firstname | default: "reader" }},',
              'Bonjour {{ contact.Firstname | default: "à vous" }},',
            ),
          ]),
        ),
        libraryBlocks.text(
          t(
            'Spring is when we mend, plan and try things out. Here is what kept us busy, in three minutes of reading.',
            'Le printemps, c’est la saison où l’on répare, où l’on prévoit, où l’on essaie. Voici ce qui nous a occupés, en trois minutes de lecture.',
          ),
        ),
        libraryBlocks.divider(),
        createEqualColumns(
          [
            libraryBlocks.heading(t('A lamp from leftovers', 'Une lampe née de chutes'), { level: 3 }),
            libraryBlocks.text(
              t(
                'Six kilograms of brass lay in a drawer. They now give light to forty desks.',
                'Six kilos de laiton dormaient dans un tiroir. Ils éclairent maintenant quarante bureaux.',
              ),
            ),
            libraryBlocks.button(t('See the lamp', 'Voir la lampe'), 'https://shop.example/lamp', { kind: 'outlined' }),
          ],
          [
            libraryBlocks.heading(t('Repairs, without a date', 'Réparer, sans limite de date'), { level: 3 }),
            libraryBlocks.text(
              t(
                'Whatever we ever made, we repair. Send it, or bring it by; the first look costs nothing.',
                'Tout ce que nous avons fabriqué, nous le réparons. Envoyez-le ou passez ; le diagnostic est offert.',
              ),
            ),
            libraryBlocks.button(t('How it works', 'Comment ça marche'), 'https://shop.example/repairs', {
              kind: 'outlined',
            }),
          ],
        ),
      ]),
      createSingleColumnRow(
        [
          libraryBlocks.heading(t('Dates', 'Dates'), { level: 2 }),
          libraryBlocks.text(
            createRichText(
              [
                boldText(t('4 May', '4 mai')),
                t(' · Open workshop, 10 am to 4 pm', ' · Atelier ouvert, de 10 h à 16 h'),
              ],
              [
                boldText(t('18 May', '18 mai')),
                t(' · Course: solder your first lamp', ' · Cours : souder sa première lampe'),
              ],
            ),
          ),
        ],
        { background: 'tinted' },
      ),
      createSingleColumnRow([
        {
          type: 'social',
          links: [
            { name: 'Instagram', href: 'https://shop.example/instagram' },
            { name: 'LinkedIn', href: 'https://shop.example/linkedin' },
            { name: 'YouTube', href: 'https://shop.example/youtube' },
          ],
        },
      ]),
      createMarketingFooter(t),
    ],
  }),
}
