import {
  createLibraryTheme,
  createMarketingFooter,
  createRichText,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
  linkText,
} from './builder.ts'

export const digestDesign: LibraryEntry = {
  id: 'digest',
  category: 'marketing',
  name: { en: 'Digest', fr: 'Sélection' },
  description: {
    en: 'A list of articles that your own program fills in. Reads data.articles.',
    fr: 'Une liste d’articles remplie par votre programme. Lit data.articles.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('Read this week', 'À lire cette semaine'),
    preheader: '{{ data.articles[0].title }}',
    theme: createLibraryTheme(libraryPalettes.blue, { heading: 'serif', body: 'sans' }),
    rows: [
      createShopHeader(),
      createSingleColumnRow([
        libraryBlocks.heading(t('Read this week', 'À lire cette semaine')),
        libraryBlocks.text('{{ now | date: "long" }}', { tone: 'muted', padding: { top: 0, bottom: 0 } }),
      ]),
      createSingleColumnRow(
        [
          { type: 'divider', padding: { top: 0, bottom: 14 } },
          libraryBlocks.heading('{{ article.title }}', { level: 2, padding: { top: 0, bottom: 4 } }),
          libraryBlocks.text('{{ article.summary }}', { tone: 'muted', padding: { top: 0, bottom: 6 } }),
          libraryBlocks.text(createRichText([linkText(t('Read on', 'Lire la suite'), '{{ article.url }}')]), {
            padding: { top: 0, bottom: 0 },
          }),
        ],
        { repeat: { over: 'data.articles', as: 'article', limit: 8 } },
      ),
      createSingleColumnRow(
        [
          libraryBlocks.text(t('More of it, every day, on our pages.', 'Et davantage, chaque jour, sur nos pages.')),
          libraryBlocks.button(t('To all articles', 'Tous les articles'), 'https://shop.example/articles', {
            kind: 'outlined',
          }),
        ],
        { background: 'tinted' },
      ),
      createMarketingFooter(t),
    ],
  }),
}
