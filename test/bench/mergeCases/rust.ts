import { all, insertAfter, insertBefore, type MergeCase, remove, replace } from './mergeCase';

const text = `use std::collections::HashMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Number(f64),
    Name(String),
    Plus,
    Minus,
    Times,
    Open,
    Close,
}

#[derive(Debug)]
pub enum ParseError {
    UnexpectedEnd,
    UnexpectedToken(Token),
    UnknownName(String),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::UnexpectedEnd => write!(f, "unexpected end"),
            ParseError::UnexpectedToken(token) => write!(f, "unexpected {:?}", token),
            ParseError::UnknownName(name) => write!(f, "unknown name {}", name),
        }
    }
}

pub struct Parser<'a> {
    tokens: &'a [Token],
    names: HashMap<String, f64>,
    at: usize,
}

impl<'a> Parser<'a> {
    pub fn new(tokens: &'a [Token]) -> Self {
        Parser {
            tokens,
            names: HashMap::new(),
            at: 0,
        }
    }

    fn next(&mut self) -> Option<&'a Token> {
        let token = self.tokens.get(self.at);
        self.at += 1;
        token
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub fn sum(&mut self) -> Result<f64, ParseError> {
        let mut total = self.product()?;
        while let Some(token) = self.peek() {
            match token {
                Token::Plus => {
                    self.next();
                    total += self.product()?;
                }
                Token::Minus => {
                    self.next();
                    total -= self.product()?;
                }
                _ => break,
            }
        }
        Ok(total)
    }

    fn product(&mut self) -> Result<f64, ParseError> {
        let mut total = self.atom()?;
        while let Some(Token::Times) = self.peek() {
            self.next();
            total *= self.atom()?;
        }
        Ok(total)
    }

    fn atom(&mut self) -> Result<f64, ParseError> {
        match self.next().ok_or(ParseError::UnexpectedEnd)? {
            Token::Number(value) => Ok(*value),
            Token::Name(name) => self
                .names
                .get(name)
                .copied()
                .ok_or_else(|| ParseError::UnknownName(name.clone())),
            other => Err(ParseError::UnexpectedToken(other.clone())),
        }
    }
}
`;

export const rust: MergeCase = {
  path: 'src/parser.rs',
  text,
  edits: {
    'adds a variant and its text': all(
      insertAfter('    UnknownName(String),\n', '    DivisionByZero,\n'),
      insertAfter(
        '            ParseError::UnknownName(name) => write!(f, "unknown name {}", name),\n',
        '            ParseError::DivisionByZero => write!(f, "division by zero"),\n',
      ),
    ),
    'removes an arm that resembles another': remove(
      '                Token::Minus => {\n                    self.next();\n                    total -= self.product()?;\n                }\n',
    ),
    'adds a setter': insertBefore(
      "    fn next(&mut self) -> Option<&'a Token> {\n",
      '    pub fn define(&mut self, name: &str, value: f64) {\n        self.names.insert(name.to_string(), value);\n    }\n\n',
    ),
    'rewrites the body of a function': replace(
      '        let token = self.tokens.get(self.at);\n        self.at += 1;\n        token\n',
      '        let token = self.peek()?;\n        self.at += 1;\n        Some(token)\n',
    ),
    'adds an arm for brackets': insertBefore(
      '            other => Err(',
      '            Token::Open => {\n                let inner = self.sum()?;\n                self.next();\n                Ok(inner)\n            }\n',
    ),
  },
};
