// One item to learn on. It looks like all others, and nothing of it is kept.

export const PRACTICE = {
  question: "Does the corner shop open before seven?",
  texts: [
    "The corner shop has new owners.",
    "The corner shop has new owners. They have painted the door green and open earlier than before.",
    "The corner shop has new owners. They have painted the door green and open earlier than before, at six in the morning. The old sign is still up, because nobody can reach it.",
  ],
};

export const COACH = [
  "This one is for practice: nothing is kept. Answer from the text alone. If it does not tell you enough, ask for more information.",
  "The text has grown a little. Ask for more whenever you can't tell.",
  "This is the longest text. If it still did not tell you enough, you could say so with the third button once more; then the question ends without an answer.",
];

export const AFTERWARDS = {
  yes: "You said yes. The longest text bears you out: it opens at six in the morning. In the study nobody tells you whether you are right.",
  no: "You said no. The longest text says otherwise: it opens at six in the morning. In the study nobody tells you whether you are right.",
  more: "You asked for more where there was no more, so the question ended without an answer. That is allowed.",
};
