import {
  boldText,
  createLibraryTheme,
  createRichText,
  createServiceFooter,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
  type TranslateText,
} from './builder.ts'

const translateVat = (t: TranslateText): string =>
  t('VAT included. The invoice is in your account.', 'TVA comprise. La facture est dans votre compte.')

export const receiptDesign: LibraryEntry = {
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
    theme: createLibraryTheme(libraryPalettes.ink),
    rows: [
      createShopHeader(),
      createSingleColumnRow([
        libraryBlocks.heading(t('Thank you for your order', 'Merci de votre commande')),
        libraryBlocks.text(
          createRichText([
            t('Order ', 'Commande '),
            boldText('{{ data.order.number }}'),
            t(' of {{ data.order.date | date: "long" }}', ' du {{ data.order.date | date: "long" }}'),
          ]),
          { tone: 'muted' },
        ),
        libraryBlocks.divider(),
        {
          type: 'product',
          repeat: { over: 'data.order.lines', as: 'line' },
          title: '{{ line.quantity }} × {{ line.name }}',
          price: '{{ line.price | money: data.order.currency }}',
          padding: { top: 0, bottom: 2 },
        },
      ]),
      // Money cannot be written without its currency: the row waits for the order.
      createSingleColumnRow(
        [
          libraryBlocks.divider(),
          libraryBlocks.text(
            createRichText([
              boldText(t('Total ', 'Total ')),
              boldText('{{ data.order.total | money: data.order.currency }}'),
            ]),
            {
              size: 18,
            },
          ),
          libraryBlocks.text(translateVat(t), { tone: 'muted', size: 14 }),
          libraryBlocks.button(t('See the order', 'Voir la commande'), '{{ data.order.url }}'),
        ],
        { condition: 'data.order' },
      ),
      createSingleColumnRow(
        [
          libraryBlocks.heading(t('Goes to', 'Livraison à'), { level: 3 }),
          libraryBlocks.text('{{ data.order.address }}'),
        ],
        {
          background: 'tinted',
          condition: 'data.order.address',
        },
      ),
      createServiceFooter(t),
    ],
  }),
}
