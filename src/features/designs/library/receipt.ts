import {
  block,
  bold,
  header,
  type LibraryEntry,
  palettes,
  rich,
  row,
  type Say,
  serviceFooter,
  theme,
} from './builder.ts'

const vat = (t: Say): string =>
  t('VAT included. The invoice is in your account.', 'TVA comprise. La facture est dans votre compte.')

export const receipt: LibraryEntry = {
  id: 'receipt',
  category: 'service',
  name: { en: 'Receipt', fr: 'Reçu' },
  description: {
    en: 'What was bought, line by line, what it came to, and where it goes. Reads data.order.',
    fr: 'Ce qui a été acheté, ligne par ligne, le total et l’adresse. Lit data.order.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('Your receipt', 'Votre reçu'),
    preheader: t('Order {{ data.order.number }}: thank you.', 'Commande {{ data.order.number }} : merci.'),
    theme: theme(palettes.ink),
    rows: [
      header(),
      row([
        block.heading(t('Thank you for your order', 'Merci de votre commande')),
        block.text(
          rich([
            t('Order ', 'Commande '),
            bold('{{ data.order.number }}'),
            t(' of {{ data.order.date | date: "long" }}', ' du {{ data.order.date | date: "long" }}'),
          ]),
          { tone: 'muted' },
        ),
        block.divider(),
        {
          type: 'product',
          repeat: { over: 'data.order.lines', as: 'line' },
          title: '{{ line.quantity }} × {{ line.name }}',
          price: '{{ line.price | money: data.order.currency }}',
          padding: { top: 0, bottom: 2 },
        },
      ]),
      // Money cannot be written without its currency: the row waits for the order.
      row(
        [
          block.divider(),
          block.text(rich([bold(t('Total ', 'Total ')), bold('{{ data.order.total | money: data.order.currency }}')]), {
            size: 18,
          }),
          block.text(vat(t), { tone: 'muted', size: 14 }),
          block.button(t('See the order', 'Voir la commande'), '{{ data.order.url }}'),
        ],
        { condition: 'data.order' },
      ),
      row([block.heading(t('Goes to', 'Livraison à'), { level: 3 }), block.text('{{ data.order.address }}')], {
        background: 'tinted',
        condition: 'data.order.address',
      }),
      serviceFooter(t),
    ],
  }),
}
