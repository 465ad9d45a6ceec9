import {
  createLibraryTheme,
  createMarketingFooter,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const abandonedCartDesign: LibraryEntry = {
  id: 'cart',
  category: 'marketing',
  name: { en: 'Cart left behind', fr: 'Panier abandonné' },
  description: {
    en: 'What is still in the cart, without pressure. Reads data.cart.',
    fr: 'Ce qui est resté dans le panier, sans insister. Lit data.cart.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('Your cart', 'Votre panier'),
    preheader: t('We keep it for a week.', 'Nous le gardons une semaine.'),
    theme: createLibraryTheme(libraryPalettes.plum),
    rows: [
      createShopHeader(),
      createSingleColumnRow([
        libraryBlocks.heading(t('Still thinking it over?', 'Vous y réfléchissez encore ?')),
        libraryBlocks.text(
          t(
            'Take your time: what you chose is kept for a week, at the same price.',
            'Prenez votre temps : votre choix est gardé une semaine, au même prix.',
          ),
        ),
      ]),
      createSingleColumnRow(
        [
          {
            type: 'product',
            repeat: { over: 'data.cart.items', as: 'item', limit: 6 },
            title: '{{ item.name }}',
            text: '{{ item.detail }}',
            price: '{{ item.price | money: data.cart.currency }}',
            href: '{{ item.url }}',
          },
        ],
        { background: 'tinted' },
      ),
      createSingleColumnRow([
        libraryBlocks.button(t('Back to the cart', 'Retrouver mon panier'), '{{ data.cart.url }}', { isWide: true }),
        libraryBlocks.text(
          t(
            'Free returns for 30 days. Questions? Just answer.',
            'Retours gratuits pendant 30 jours. Une question ? Répondez simplement.',
          ),
          { tone: 'muted', size: 14 },
        ),
      ]),
      createMarketingFooter(t),
    ],
  }),
}
