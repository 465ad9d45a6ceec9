import type { Translated } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  bounced: 'En erreur',
  bouncedHint: 'Des messages à cette adresse sont revenus. Rien ne lui est envoyé tant que la marque demeure.',
  created: 'Création',
  empty: 'Vos contacts seront ici',
  emptyWhy:
    'Toutes les personnes à qui vous écrivez, avec ce que vous savez d’elles, ce qu’elles ont reçu et ce qu’elles ont fait. Importez un fichier pour commencer ; qui s’est désabonné ailleurs le reste.',
  label: 'Contacts',
  noMatch: 'Aucun contact ne correspond',
  noMatchWhy: 'Cherchez une adresse, un numéro ou un identifiant entier, ou une partie d’au moins trois caractères.',
  reset: 'Afficher tous les contacts',
  search: 'Adresse, numéro ou identifiant',
  segment: 'Segment',
  state: 'État',
  title: 'Contacts',
  unsubscribed: 'Désabonné',
  unsubscribedHint: 'Sur la liste rouge : aucun message marketing n’est envoyé à cette adresse.',
  updated: 'Modification',
  add: 'Ajouter',
  addSegment: 'Ajouter à un segment',
  chooseSegment: 'Choisir un segment',
  clearFilter: 'Effacer',
  deleteNow: 'Supprimer',
  deleteWord: 'supprimer',
  doneOf: '{done} sur {count}',
  filter: 'Filtrer',
  filterNone: 'Tous les contacts : ajoutez un critère pour en voir moins.',
  others: 'Plus',
  saveSegment: 'Enregistrer comme segment',
  staticSegment: 'Segment statique',
  filtered: { one: '{count} critère', other: '{count} critères' },
  addToSegment: { one: 'Ajouter {count} contact à un segment', other: 'Ajouter {count} contacts à un segment' },
  addedTo: { one: '{count} contact est dans {name}.', other: '{count} contacts sont dans {name}.' },
  deleteMany: { one: 'Supprimer {count} contact ?', other: 'Supprimer {count} contacts ?' },
  deletedMany: { one: '{count} contact est supprimé.', other: '{count} contacts sont supprimés.' },
  deleteManyWhy: {
    one: 'Il ne pourra pas revenir. Ce qui l’attend n’est pas envoyé ; ce qui a été envoyé et fait reste dans les résultats.',
    other:
      '{count} contacts ne pourront pas revenir. Ce qui les attend n’est pas envoyé ; ce qui a été envoyé et fait reste dans les résultats.',
  },
} satisfies Translated<typeof en>
