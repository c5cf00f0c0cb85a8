//! A door to `serde`: types that are written as text in every format.

/// Implements `serde` for a type by its `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($name:ty) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text =
                    <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_as_text;

serde_as_text!(super::fen::Fen);
serde_as_text!(super::key::PositionKey);
serde_as_text!(super::uci::UciMove);

#[cfg(feature = "serde")]
#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::{Serialize, de::DeserializeOwned};

    use crate::{
        chess::{Fen, PositionKey, UciMove},
        opening::EcoCode,
    };

    fn is_json_text<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
    }

    #[test]
    fn keys_moves_and_codes_are_text_in_json() {
        let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 7".parse().unwrap();
        is_json_text(&fen, "4k3/8/8/8/8/8/8/4K2R w K - 3 7");
        is_json_text(&fen.key(), "4k3/8/8/8/8/8/8/4K2R w K -");
        is_json_text(&"e1g1".parse::<UciMove>().unwrap(), "e1g1");
        is_json_text(&"B90a".parse::<EcoCode>().unwrap(), "B90a");
        let fault = serde_json::from_str::<PositionKey>("\"8/8 w - -\"").unwrap_err();
        assert!(fault.to_string().starts_with("not a position key: \"8/8 w - -\""), "{fault}");
    }
}
