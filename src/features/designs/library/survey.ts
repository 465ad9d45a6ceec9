import { block, columns, footer, header, type LibraryEntry, palettes, row, theme } from './builder.ts'

const SCORES = [1, 2, 3, 4]

export const survey: LibraryEntry = {
  id: 'survey',
  category: 'marketing',
  name: { en: 'Survey', fr: 'Enquête' },
  description: {
    en: 'One question that is answered in the message itself.',
    fr: 'Une question à laquelle on répond depuis le message.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('One question', 'Une question'),
    preheader: t('It takes ten seconds.', 'Elle prend dix secondes.'),
    theme: theme(palettes.blue),
    rows: [
      header(),
      row([
        block.heading(t('How did we do?', 'Comment avons-nous fait ?'), { align: 'center' }),
        block.text(
          t(
            '{{ contact.Firstname | default: "Hello" }}, how was your last order?',
            '{{ contact.Firstname | default: "Bonjour" }}, comment s’est passée votre dernière commande ?',
          ),
        ),
      ]),
      {
        columns: SCORES.map(() => 25),
        blocks: SCORES.map((score) => [
          block.button(String(score), `https://shop.example/survey?score=${score}&c={{ contact.id }}`, {
            kind: 'outlined',
            align: 'center',
            isWide: true,
          }),
        ]),
        background: 'tinted',
      },
      row([
        columns(
          [block.text(t('1: not well', '1 : pas bien'), { size: 14, tone: 'muted' })],
          [block.text(t('4: very well', '4 : très bien'), { size: 14, tone: 'muted' })],
        ),
        block.text(
          t(
            'What you say is read by the people who packed your order.',
            'Vos réponses sont lues par les personnes qui ont préparé votre commande.',
          ),
        ),
      ]),
      footer(t),
    ],
  }),
}
