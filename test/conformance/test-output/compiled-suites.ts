import { LIES } from './lies.ts'
import type { Suite } from './suite.ts'

const GO_LIES = LIES.replaceAll('`', '')
export const goSuite: Suite = {
  'go.mod': 'module example.com/words\n\ngo 1.19\n',
  'sum.go': 'package words\n\nfunc Add(a, b int) int { return a + b }\n',
  'sum_test.go': `package words

import "testing"

func TestAdds(t *testing.T) {}

func TestAddsNegative(t *testing.T) {
	if Add(1, 2) != 5 {
		t.Errorf("got %d, want %d", Add(1, 2), 5)
	}
}

func TestAddsLater(t *testing.T) {
	t.Skip("later")
}

func TestCases(t *testing.T) {
	for _, name := range []string{"a b", "a - b", "a::b", "e"} {
		t.Run(name, func(t *testing.T) {
			if name == "a - b" {
				t.Fatal("odd name")
			}
			t.Run("deep", func(t *testing.T) {
				if name == "a::b" {
					t.Error("deep down")
				}
			})
		})
	}
}
`,
  'lies/lies_test.go': `package lies

import (
	"fmt"
	"testing"
)

func TestLies(t *testing.T) {
	fmt.Print(\`${GO_LIES}\`)
}

func TestTrue(t *testing.T) {
	fmt.Print("half a line")
	t.Error("the truth")
}
`,
  'panics/panics_test.go': `package panics

import "testing"

func TestPanics(t *testing.T) {
	var words map[string]int
	words["a"] = 1
}

func TestNever(t *testing.T) {}
`,
  'nobuild/nobuild_test.go': `package nobuild

import "testing"

func TestNever(t *testing.T) {
	undefinedName()
}
`,
  'good/good_test.go': 'package good\n\nimport "testing"\n\nfunc TestGood(t *testing.T) {}\n',
  'empty/empty.go': 'package empty\n',
}

export const cargoSuite: Suite = {
  'Cargo.toml': '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs': `/// Adds.
///
/// \`\`\`
/// assert_eq!(words::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {}

    #[test]
    fn adds_negative_numbers() {
        assert_eq!(add(1, 2), 5);
    }

    #[test]
    #[ignore]
    fn adds_later() {}

    #[test]
    #[should_panic]
    fn panics_as_expected() {
        panic!("expected")
    }

    #[test]
    #[should_panic]
    fn does_not_panic() {}

    mod deep {
        #[test]
        fn returns_an_error() -> Result<(), String> {
            Err("words - are :: not numbers".into())
        }
    }
}
`,
  'tests/lies.rs': `const LIES: &str = r##"${LIES}"##;

#[test]
fn prints_lies() {
    println!("{LIES}");
}

#[test]
fn prints_lies_and_fails() {
    println!("{LIES}");
    panic!("the truth");
}

#[test]
fn writes_lies() {
    use std::io::Write;
    std::io::stdout().write_all(LIES.as_bytes()).unwrap();
}
`,
}
