import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  category: 'Catégorie',
  copyName: 'Copie de {name}',
  delete: 'Supprimer',
  deleted: '{name} a été supprimée',
  deleteTitle: 'Supprimer {name}',
  deleteWhy: 'Les messages créés à partir d’elle ont leur propre copie et ne changent pas. C’est irréversible.',
  description: 'Description',
  design: 'Maquette',
  designs: 'Maquettes',
  duplicate: 'Dupliquer',
  empty: 'Aucune maquette pour l’instant',
  emptyWhy:
    'Enregistrez une fois la mise en page de vos messages, et commencez chaque nouveau message à partir d’elle. Créez une maquette ou choisissez un des modèles ci-dessous.',
  language: 'Langue des modèles',
  name: 'Nom',
  newDesign: 'Nouvelle maquette',
  noMatch: 'Aucune maquette ne correspond à votre recherche',
  rowsAndBlocks: 'Lignes et blocs',
  search: 'Rechercher une maquette',
  templates: 'Modèles',
  theme: 'Thème',
  yourRows: 'Vos lignes',
  yours: 'Vos maquettes',
} satisfies TranslatedStrings<typeof en>
