import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  category: 'Catégorie',
  copyName: '{name}, copie',
  delete: 'Supprimer',
  deleted: '{name} est supprimée',
  deleteTitle: 'Supprimer {name}',
  deleteWhy: 'Les messages qui en viennent ont leur propre maquette et restent tels quels. Cela ne peut être annulé.',
  description: 'Description',
  design: 'Maquette',
  designs: 'Maquettes',
  duplicate: 'Dupliquer',
  empty: 'Vos maquettes seront ici',
  emptyWhy:
    'Enregistrez une fois la mise en page de vos messages, et commencez chaque nouveau par elle. Les modèles ci-dessous sont prêts à servir.',
  language: 'Langue des modèles',
  name: 'Nom',
  newDesign: 'Nouvelle maquette',
  noMatch: 'Aucune maquette n’a cela dans son nom',
  rowsAndBlocks: 'Lignes et blocs',
  search: 'Chercher une maquette',
  templates: 'Modèles',
  theme: 'Thème',
  yourRows: 'Vos lignes',
  yours: 'Vos maquettes',
} satisfies TranslatedStrings<typeof en>
