import { block, footer, header, type LibraryEntry, link, palettes, rich, row, theme } from './builder.ts'

export const digest: LibraryEntry = {
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
    theme: theme(palettes.blue, { heading: 'serif', body: 'sans' }),
    rows: [
      header(),
      row([
        block.heading(t('Read this week', 'À lire cette semaine')),
        block.text('{{ now | date: "long" }}', { tone: 'muted', padding: { top: 0, bottom: 0 } }),
      ]),
      row(
        [
          { type: 'divider', padding: { top: 0, bottom: 14 } },
          block.heading('{{ article.title }}', { level: 2, padding: { top: 0, bottom: 4 } }),
          block.text('{{ article.summary }}', { tone: 'muted', padding: { top: 0, bottom: 6 } }),
          block.text(rich([link(t('Read on', 'Lire la suite'), '{{ article.url }}')]), {
            padding: { top: 0, bottom: 0 },
          }),
        ],
        { repeat: { over: 'data.articles', as: 'article', limit: 8 } },
      ),
      row(
        [
          block.text(t('More of it, every day, on our pages.', 'Et davantage, chaque jour, sur nos pages.')),
          block.button(t('To all articles', 'Tous les articles'), 'https://shop.example/articles', {
            kind: 'outlined',
          }),
        ],
        { background: 'tinted' },
      ),
      footer(t),
    ],
  }),
}
