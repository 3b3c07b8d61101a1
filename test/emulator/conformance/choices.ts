import { accepts, refuses } from './cases.js'
import { configure } from './requests.js'
import type { Case, Section } from './sentence.js'

export const webhook: Section = {
  section: '2.8',
  title: 'webhook',
  sentences: [
    {
      says: 'the fields of a webhook',
      notShown: 'the document does not have them, so the emulator keeps a number for each service',
    },
  ],
}

const questions = [
  'city of birth',
  'mascot of the high school',
  'maiden name of the mother',
  'make of the first car',
  'high school',
  'last name of the best friend',
  'middle name of the youngest sibling',
  'street of childhood',
  'favorite character',
  'favorite pet',
  'favorite restaurant',
  'favorite book',
  'dream job',
  'place of the first date',
]

const asked = (securityQuestionIdx: string) => configure({ securityQuestionIdx })

export const secretQuestions: Section = {
  section: '2.9',
  title: 'secret questions',
  sentences: [
    {
      says: 'the index is the position in the list, beginning with 1',
      shown: ['0', '15', '-1', '99', '1.0', '1.5', '01', '1e0', '+1', ' 1', '1 ', '0x1', '١', 'one', ''].map(
        (index): Case => [`"${index}" is rejected`, refuses(asked(index))],
      ),
    },
    ...questions.map((question, index) => ({
      says: `${index + 1} is the ${question}`,
      shown: [[`${index + 1} is accepted`, accepts(asked(String(index + 1)))]] as const,
      notShown: 'the wording of the question: no answer repeats it',
    })),
  ],
}

const pods =
  'that the three names are accepted is shown in section 2.7; the emulator runs no pods, so they do not differ'

export const profiles: Section = {
  section: '2.10',
  title: 'architecture profiles',
  sentences: [
    { says: 'enhanced-availability is the most available', notShown: pods },
    {
      says: 'standard-availability is the default',
      shown: [['a request without a profile is accepted', accepts(configure())]],
      notShown: pods,
    },
    { says: 'development is for tests and evaluation', notShown: pods },
  ],
}
